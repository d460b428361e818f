// A link copied from the source of a page, where & is escaped as in HTML, is read as it was written.
import { expect, test } from "vitest";
import { encode } from "../../web/config/codec.js";
import { decode } from "../../web/config/decode.js";

const link = "v=1&lab=multi-head&heads=4&tokens=cat,sat";

test.each(["&amp;", "&AMP;", "&#38;", "&#x26;"])("with %s", (escaped) => {
  expect(decode(`#${link.replaceAll("&", escaped)}`)).toEqual(decode(`#${link}`));
  // A link with a checksum is read without a notice.
  const generated = encode(decode(link).config);
  const read = decode(generated.replaceAll("&", escaped));
  expect(read.notices).toEqual([]);
  expect(encode(read.config)).toBe(generated);
});
