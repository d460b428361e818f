// A typed sentence as words.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isWord, tokenize } from "../../web/config/tokens.js";

describe("tokenize", () => {
  test.each([
    ["the cat  sat\ton\nthe mat", ["the", "cat", "sat", "on", "the", "mat"]],
    ["  ", []],
    ["", []],
    ["我爱北京", ["我", "爱", "北", "京"]],
    ["我用NLP，很好。", ["我", "用", "NLP", "，", "很", "好", "。"]],
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

  test("an emoji is cut as the engine's own segmenter cuts it", () => {
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
    const emoji = "😀👩‍👩‍👧‍👦👍🏽🧑🏿‍🚀🇨🇳🇧🇷🏳️‍🌈🏴‍☠️❤️‍🔥☝🏻👁️‍🗨️🫱🏻‍🫲🏿🐻‍❄️✌️#️⃣";
    expect(tokenize(emoji)).toEqual([...segmenter.segment(emoji)].map(({ segment }) => segment));
  });

  test("any text becomes words that a Config may hold, and cutting them again changes nothing", () => {
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

test("isWord counts characters, not code units", () => {
  expect(isWord("😀".repeat(40), 1, 40)).toBe(true);
  expect(isWord("😀".repeat(41), 1, 40)).toBe(false);
  expect(isWord("", 1, 40)).toBe(false);
  for (const word of [" a", "a ", "a\n", "e\u0301", "a\u202E", "\ud800"])
    expect(isWord(word, 1, 40), JSON.stringify(word)).toBe(false);
  expect(isWord("word 1", 1, 40)).toBe(true);
});
