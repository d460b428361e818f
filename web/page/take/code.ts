/** A link as a QR code. */
import { encode } from "uqr";

/** Width of the quiet zone around a code, in modules (ISO/IEC 18004). */
const quiet = 4;

/** The modules of a code, row by row, dark where true. Throws Error when the link is too long. */
export function codeOf(link: string): boolean[][] {
  return encode(link, { ecc: "L", boostEcc: true, border: quiet }).data;
}
