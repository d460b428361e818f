/** Files that a script carries, named in the configuration of its build. */
declare module "virtual:packed" {
  const packed: import("../page/element/unpack.js").Packed;
  export default packed;
}
/** The address of the script itself, as its build says it: empty where it has none. */
declare const ownAddress: string;
