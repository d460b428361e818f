/** Binary files, deflated, as base64 text, in the embed's one file. */
declare module "*?deflated" {
  const text: string;
  export default text;
}
