/** The files that a script contains; the configuration of its build names them. */
declare module "virtual:packed" {
  const packed: import("../page/element/unpack.js").Packed;
  export default packed;
}
/** The address of the script itself, set by its build: empty where it has none. */
declare const ownAddress: string;
