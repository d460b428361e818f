/** A link as a QR code, which a camera opens. */
import { encode } from "uqr";

/** Modules around a code by which a camera finds it (ISO/IEC 18004). */
const quiet = 4;

/** The modules of a code, row by row, dark where true. Throws Error where the link is too long. */
export function codeOf(link: string): boolean[][] {
  return encode(link, { ecc: "L", boostEcc: true, border: quiet }).data;
}
