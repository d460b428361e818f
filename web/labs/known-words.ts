/** The words that a reader types for a model with a vocabulary of its own. */
import { SPACE } from "../config/tokens.js";

/**
 * The words of a text that are all in the vocabulary. What stands between spaces is a word, or several of them without spaces, the longest
 * first, as digits and Chinese words are typed; where it is neither, it stays whole.
 */
export function knownWords(typed: string, vocabulary: readonly string[]): string[] {
  const longestFirst = [...vocabulary].sort((a, b) => b.length - a.length);
  const text = vocabulary.includes(SPACE) ? typed.replaceAll(" ", SPACE) : typed;
  return text
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((run) => {
      const words: string[] = [];
      for (let rest = run; rest !== "";) {
        const word = longestFirst.find((one) => rest.startsWith(one));
        if (word === undefined) return [run];
        words.push(word);
        rest = rest.slice(word.length);
      }
      return words;
    });
}
