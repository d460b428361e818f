// A typed sentence is split into words.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  characters,
  composeUnicode,
  isWord,
  joinedPieces,
  piecesOf,
  pieceText,
  plainText,
  tokenize,
  withUnseen,
} from "../../web/config/tokens.js";

describe("tokenize", () => {
  test.each([
    ["the cat  sat\ton\nthe mat", ["the", "cat", "sat", "on", "the", "mat"]],
    ["  ", []],
    ["", []],
    ["我爱北京", ["我", "爱", "北", "京"]],
    ["我用NLP，很好。", ["我", "用", "NLP", "，", "很", "好", "。"]],
    ["哈基咪 喜欢 南北", ["哈基咪", "喜欢", "南北"]],
    ["哈基咪\n喜欢，南北", ["哈基咪", "喜欢，南北"]],
    [" 哈基咪 ", ["哈", "基", "咪"]],
    [`${"猫".repeat(41)} 狗鸟`, [...Array.from({ length: 41 }, () => "猫"), "狗鸟"]],
    ["カタカナーと漢字々", ["カ", "タ", "カ", "ナ", "ー", "と", "漢", "字", "々"]],
    ["한국어 문장", ["한국어", "문장"]],
    ["猫\u3000狗\u200B鸟", ["猫", "狗", "鸟"]],
    ["hello😀😀world", ["hello", "😀", "😀", "world"]],
    ["👩‍👩‍👧 👍🏽 ❤️ 🏳️‍🌈", ["👩‍👩‍👧", "👍🏽", "❤️", "🏳️‍🌈"]],
    ["🇨🇳🇫🇷", ["🇨🇳", "🇫🇷"]],
    [
      "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}x",
      ["🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "x"],
    ],
    ["1️⃣2", ["1️⃣", "2"]],
    ["© 2 ↔ it's 3.5 C++ don't", ["©", "2", "↔", "it's", "3.5", "C++", "don't"]],
    ["cafe\u0301", ["café"]],
    ["は\u3099", ["ば"]],
    ["a\u202Eb\u0007c\ud800d", ["abcd"]],
  ])("%s", (text, words) => {
    expect(tokenize(text)).toEqual(words);
  });

  test("an emoji is split as the engine's own segmenter splits it", () => {
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
    const emoji = "😀👩‍👩‍👧‍👦👍🏽🧑🏿‍🚀🇨🇳🇧🇷🏳️‍🌈🏴‍☠️❤️‍🔥☝🏻👁️‍🗨️🫱🏻‍🫲🏿🐻‍❄️✌️#️⃣";
    expect(tokenize(emoji)).toEqual([...segmenter.segment(emoji)].map(({ segment }) => segment));
  });

  test("any text gives valid words of a Config, and splitting these again changes nothing", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.string({ unit: "grapheme" }),
          fc.string({
            unit: fc.constantFrom(
              "猫",
              "が",
              "e",
              "\u0301",
              "\u200D",
              "\uFE0F",
              "😀",
              "🇨",
              "🇳",
              "👍",
              "🏽",
              " ",
              "，",
              "\ud83d",
            ),
          }),
        ),
        (text) => {
          const words = tokenize(text);
          for (const word of words) expect(isWord(word, 1, 10_000), JSON.stringify(word)).toBe(true);
          expect(tokenize(words.join(" "))).toEqual(words);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe("composed", () => {
  test("is the engine's composed form of any text whose marks fit in a word", () => {
    const unit = fc.constantFrom(
      "e",
      "か",
      "\u1100\u1161",
      "\u0301",
      "\u0315",
      "\u3099",
      "\u0327",
      " ",
      "猫",
      "\u0F71\u0F72",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 120 }), (text) => {
        expect(composeUnicode(text)).toBe(text.normalize("NFC"));
      }),
    );
  });

  test("leaves a run of marks unchanged if it is too long for a word, and refuses the word", () => {
    const run = "\u0315\u0300".repeat(100);
    expect(composeUnicode(`e\u0301 a${run} e\u0301`)).toBe(`\u00E9 a${run} \u00E9`);
    expect(isWord(`a${run}`, 1, 40)).toBe(false);
    // The longest run that is normalized is also too long for a word.
    const [ordered] = tokenize(`a${"\u0315\u0300".repeat(81)}`);
    expect(ordered).toBe(`\u00E0${"\u0300".repeat(80)}${"\u0315".repeat(81)}`);
    expect(isWord(ordered!, 1, 40)).toBe(false);
  });
});

describe("withUnseen", () => {
  test.each([
    ["cat\u200D", "cat⟨U+200D⟩"],
    ["c\u200Bat", "c⟨U+200B⟩at"],
    ["\u200Ccat", "⟨U+200C⟩cat"],
    ["cat\u{E0061}\u{E0062}", "cat⟨U+E0061⟩⟨U+E0062⟩"],
    ["so\u00ADfa", "so⟨U+AD⟩fa"],
    ["猫\u200D", "猫⟨U+200D⟩"],
    ["👩‍👩‍👧a\u200D", "👩‍👩‍👧a⟨U+200D⟩"],
    ["😀\u200D", "😀⟨U+200D⟩"],
  ])("%j is shown as %j", (word, shown) => expect(withUnseen(word)).toBe(shown));

  test.each(["cat", "café", "我", "👩‍👩‍👧", "👍🏽", "❤️", "🏳️‍🌈", "می\u200Cخواهم", "क्\u200Dष", "1️⃣", "©"])(
    "%j holds nothing that cannot be seen",
    (word) => expect(withUnseen(word)).toBeNull(),
  );
});

test("isWord counts characters, not code units", () => {
  expect(isWord("😀".repeat(40), 1, 40)).toBe(true);
  expect(isWord("😀".repeat(41), 1, 40)).toBe(false);
  expect(isWord("", 1, 40)).toBe(false);
  for (const word of [" a", "a ", "a\n", "e\u0301", "a\u202E", "\ud800"])
    expect(isWord(word, 1, 40), JSON.stringify(word)).toBe(false);
  expect(isWord("word 1", 1, 40)).toBe(true);
});

describe("a text as pieces", () => {
  test("is normalized first: composed, with one space for white space and no invisible characters", () => {
    expect(plainText("  e\u0301 \n\t b\u202E\u200Bc\0 ")).toBe("\u00E9 b c");
    expect(plainText(" \n ")).toBe("");
  });

  test("keeps marks with their characters and the parts of an emoji together; a space becomes visible", () => {
    expect(characters("a \u4F60\u{1F469}\u200D\u{1F680}x\u0323\u0307")).toEqual([
      "a",
      "\u2423",
      "\u4F60",
      "\u{1F469}\u200D\u{1F680}",
      "x\u0323\u0307",
    ]);
  });

  test("shows bytes that are whole characters as text, and others as numbers", () => {
    const bytes = new TextEncoder().encode(" \u4F60");
    expect(pieceText(bytes)).toBe("\u2423\u4F60");
    expect(pieceText(bytes.subarray(0, 2))).toBe("<20><E4>");
    expect(pieceText(bytes.subarray(2))).toBe("<BD><A0>");
  });

  test("fits in a Config character by character, and the characters together are the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" })), (text) => {
        const plain = plainText(text);
        const pieces = characters(plain);
        expect(pieces.join("").replaceAll("\u2423", " ")).toBe(plain.replaceAll("\u2423", " "));
        for (const piece of pieces) expect(isWord(piece, 1, Infinity), JSON.stringify(piece)).toBe(true);
      }),
    );
  });

  test("is read back unchanged, and no typed text is mistaken for pieces", () => {
    const words = fc.array(
      fc.string({ minLength: 1 }).filter((word) => !word.includes("\u001F")),
      {
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(words, (pieces) => {
        expect(piecesOf(joinedPieces(pieces))).toEqual(pieces);
      }),
    );
    expect(piecesOf("a b")).toBeNull();
    expect(piecesOf(joinedPieces([]))).toBeNull();
  });
});
