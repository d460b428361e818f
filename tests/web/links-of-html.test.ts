// A link copied from the source of a page, whose & are escaped as HTML has them, is read as it was written.
import { expect, test } from "vitest";
import { encode } from "../../web/config/codec.js";
import { decode } from "../../web/config/decode.js";

const link = "v=1&lab=multi-head&heads=4&tokens=cat,sat";

test.each(["&amp;", "&AMP;", "&#38;", "&#x26;"])("with %s", (escaped) => {
  expect(decode(`#${link.replaceAll("&", escaped)}`)).toEqual(decode(`#${link}`));
  // One that is sealed keeps its checksum.
  const sealed = encode(decode(link).config);
  const read = decode(sealed.replaceAll("&", escaped));
  expect(read.notices).toEqual([]);
  expect(encode(read.config)).toBe(sealed);
});
