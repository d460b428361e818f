/** Binary files as base64 text, in the embed's one file. */
declare module "*?base64" {
  const text: string;
  export default text;
}
