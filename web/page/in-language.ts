/**
 * The examples for a reader of Chinese: the English words replaced by Chinese ones that show the same. Such a
 * state is no example any more, and its link holds its words. A link that names an example opens the example
 * as it is.
 */
import type { Config } from "../config/config.js";
import { exampleById } from "../examples/index.js";
import type { Language } from "../i18n/words.js";

const words = (text: string): string[] => text.split(" ");

/** One word occurs twice, in the same places as in English, because the lessons refer to it. */
const cat = { tokens: words("小 猫 跳 上 小 垫子") };
const twoSentences = { ...cat, second: words("它 很 暖和") };
const bites = { tokens: words("小 狗 咬 小 孩") };
const kingdom = {
  tokens: words("狗 咬 人"),
  other: words("人 咬 狗"),
  names: words("国王 女王 男人 女人 狗 猫"),
  text: words(
    "国王 统治 . 女王 统治 . 国王 爱 女王 . 女王 爱 国王 . 猫 追 老鼠 . 狗 追 猫 . 猫 吃 鱼 . 狗 吃 鱼 . 老鼠 吃 鱼",
  ),
};

/** The settings of an example that differ in Chinese. */
const chineseSettings: Readonly<Record<string, Readonly<Record<string, number | readonly string[]>>>> = {
  "cat-on-the-mat": cat,
  additive: { tokens: words("她 吃 了 梨") },
  // Word vectors are drawn from the spelling: with this seed the heads differ as plainly as with the English
  // words.
  "two-heads": { ...cat, seed: 210 },
  "two-orders": bites,
  "six-encodings": bites,
  "one-block": cat,
  "pre-norm": cat,
  "masked-mat": twoSentences,
  "masked-untrained": twoSentences,
  "masked-drawn": twoSentences,
  "dog-bites-man": kingdom,
  "king-and-queen": kingdom,
  "kingdom-on-a-map": kingdom,
  "small-kingdom": kingdom,
  "small-kingdom-zh": kingdom,
};

const chineseExamples = new Map<string, Config>();

/**
 * An example with the words of a language: the same object for the same arguments. Undefined when there is no
 * example of that id.
 */
export function exampleIn(id: string, language: Language): Config | undefined {
  const config = exampleById(id)?.config;
  const other = language === "zh-CN" ? chineseSettings[id] : undefined;
  if (!config || !other) return config;
  const chinese =
    chineseExamples.get(id) ??
    ({ ...config, example: null, numbers: { ...config.numbers, ...other } } as Config);
  chineseExamples.set(id, chinese);
  return chinese;
}
