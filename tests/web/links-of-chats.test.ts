// A link that was copied from a chat may end with the punctuation of its sentence, or with tracking fields.
import { describe, expect, test } from "vitest";
import { mostWork } from "../../web/config/bounds.js";
import { encode } from "../../web/config/codec.js";
import { decode } from "../../web/config/decode.js";
import { frameFields } from "../../web/config/frame-fields.js";
import { noWork } from "../../web/config/packing.js";
import { wordPressSecretOf, withoutSecret } from "../../web/config/secret.js";

const written = "v=1&lab=multi-head&tokens=cat,sat&heads=4";
const generated = encode(decode(written).config);
const noticeKinds = (link: string): string[] => decode(link).notices.map(({ kind }) => kind);

const tails = [..." )]>\"'.,;!?…，。！）》」”’", "\u200B", "\u2060", ").", "）。", '"),'];

describe.each(tails)("followed by %j", (tail) => {
  // Browsers escape quotes and non-ASCII characters in a hash.
  test.each([tail, encodeURI(tail), encodeURIComponent(tail)])("as %s", (end) => {
    expect(decode(written + end)).toEqual(decode(written));
    const read = decode(generated + end);
    expect(read.notices).toEqual([]);
    expect(encode(read.config)).toBe(generated);
  });
});

test.each([
  "v=1&lab=vit",
  "lab=attention&x=1,2,3;4,5,6;7,8,9;1,2,3.5",
  "lab=attention&x=1,2,3;4,5,6;7,8,9;1,2,3",
  "lab=attention&edit=W_Q,0,1,2.5",
  "lab=attention&scale=0",
  "seed=3&dim=8&seed=3",
])("%s may end a sentence", (link) => {
  expect(decode(link).notices).toEqual([]);
  expect(decode(`${link}).`)).toEqual(decode(link));
});

describe("characters that may belong to the link are kept", () => {
  test("a word keeps its punctuation", () => {
    const { config, notices } = decode("lab=attention&tokens=hello,world!");
    expect(notices).toEqual([]);
    expect(config.numbers).toMatchObject({ tokens: ["hello", "world!"] });
    // This holds also if another field is refused.
    expect(decode("lab=attention&dim=wide&tokens=hello,world!").config.numbers).toMatchObject({
      tokens: ["hello", "world!"],
    });
  });

  test("a value that is invalid even without its tail is reported as it was given", () => {
    expect(decode("seed=abc).").notices).toMatchObject([{ kind: "field", field: "seed", given: "abc)." }]);
  });

  test("nothing is removed in the middle of a link", () => {
    expect(decode("lab=attention&seed=4)&dim=8").notices).toMatchObject([
      { kind: "field", field: "seed", given: "4)" },
    ]);
  });

  test("a cut link is still reported as cut, and an edited one as edited", () => {
    expect(noticeKinds(`${generated.slice(0, generated.lastIndexOf("&c="))})`)).toEqual(["cut"]);
    expect(noticeKinds(`${generated.replace("heads=4", "heads=2")})`)).toEqual(["edited"]);
  });
});

test("the tail of a link is removed in one attempt, within the usual limit of attempts", () => {
  const attempts = (link: string): number => {
    const work = noWork();
    decode(link, work);
    return work.attempts;
  };
  expect(attempts(`${written}).`)).toBe(2);
  expect(attempts(written)).toBe(1);
  // The link is escaped once more than it was written.
  expect(attempts(`${encodeURIComponent(written)}).`)).toBe(mostWork.attempts);
  expect(decode(`${encodeURIComponent(written)}).`)).toEqual(decode(written));
});

describe("tracking fields", () => {
  test.each([
    "&fbclid=IwAR0x-y_z",
    "&utm_source=news&utm_medium=email",
    "&gclid=Cj0.-_",
    "&from=singlemessage&isappinstalled=0",
    "?from=groupmessage&isappinstalled=0",
  ])("%s behind a sealed link", (end) => {
    const read = decode(generated + end);
    expect(read.notices).toEqual([]);
    expect(encode(read.config)).toBe(generated);
  });

  test("are ignored after a handwritten link, also when & is escaped as in HTML", () => {
    expect(decode(`${written}&fbclid=x&utm_source=y`)).toEqual(decode(written));
    expect(decode(`${written}&fbclid=x`.replaceAll("&", "&amp;"))).toEqual(decode(written));
  });

  test("an unknown field is reported", () => {
    expect(decode(`${written}&from=here`).notices).toEqual([
      { kind: "unknown-field", field: "from", given: "here" },
    ]);
    expect(noticeKinds(`${generated}&colour=red`)).toEqual(["cut"]);
  });
});

describe("the secret that WordPress appends to a frame's address", () => {
  const secret = "#?secret=vZ3kQ9xT1a";

  test.each([written, generated, "lab=attention&cell=scores,0,2", "lab=attention&tokens=hello,world!"])(
    "is no part of %s",
    (link) => {
      expect(decode(link + secret)).toEqual(decode(link));
      expect(decode(`#${link}${secret}`)).toEqual(decode(link));
      expect(frameFields(`${link}&focus=weights${secret}`)).toEqual(frameFields(`${link}&focus=weights`));
      expect(wordPressSecretOf(link + secret)).toBe("vZ3kQ9xT1a");
    },
  );

  test("may be the whole hash if the frame had no link", () => {
    for (const hash of [secret, secret.slice(1)]) {
      expect(decode(hash)).toEqual(decode(""));
      expect(frameFields(hash)).toEqual({ ui: null, focus: null, link: "" });
      expect(wordPressSecretOf(hash)).toBe("vZ3kQ9xT1a");
    }
  });

  test.each([
    "lab=attention&tokens=a?secret=abc",
    `${written}#?secret=`,
    `${written}#?secret=a-b`,
    `${written}#?secret=abc&seed=5`,
    `${written}#?secret=${"a".repeat(65)}`,
    `${written}#?Secret=abc`,
  ])("%s has none", (link) => {
    expect(wordPressSecretOf(link)).toBeNull();
    expect(withoutSecret(link)).toBe(link);
  });

  test("only one is removed, and only at the end", () => {
    expect(withoutSecret(`${written}${secret}${secret}`)).toBe(written + secret);
    expect(withoutSecret("#?secret=a".repeat(20_000)).length).toBe(199_990);
  });
});
