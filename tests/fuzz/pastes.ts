/** Sends texts that are pasted or dropped through all their readers: none may throw, and each takes time in proportion to the length. */
import { bounds } from "../../web/config/bounds.js";
import { isWord, plainText, tokenize } from "../../web/config/tokens.js";
import { readNumbers } from "../../web/files/numbers-text.js";
import { recognizeFile } from "../../web/files/saved-link.js";
import { parseNumber } from "../../web/marks/numbers.js";
import { Draws } from "./draws.js";

export interface Pasted {
  number: number;
  paste: string;
}

export interface PasteReport {
  pastes: number;
  /** The number of pastes that were read as numbers, and that were refused for each reason. */
  verdicts: Record<string, number>;
  /** The characters of all pastes together, and of the longest. */
  characters: number;
  longest: number;
  failures: (Pasted & { why: string })[];
}

/** One paste in this many repeats a character hundreds of thousands of times: an algorithm with quadratic time would not finish. */
const longOnceIn = 200;
const longRun = 300_000;

/** Texts as spreadsheets, NumPy, PyTorch, JSON and people write them. */
const whole = [
  "1,-2.5\n3e-4,4\n",
  "1\t-2.5\r\n3E-4\t4\r\n",
  '"1"\t"-2.5"\n"3e-4"\t"4"',
  "1; -2.5;\n3e-4; 4;",
  "1,5;2,5\n3;4",
  "[[ 1.e+00 -2.5e+00]\n [ 3.e-04  4.e+00]]",
  "array([[ 1. , -2.5],\n       [ 3e-4,  4. ]])",
  "tensor([[ 1.0, -2.5],\n        [3e-4, 4]], dtype=torch.float64)",
  "[[1 2 ... 3]\n [4 5 ... 6]]",
  '{"shape": [2], "data": [1, "NaN"], "link": "https://a.example/#v=1&lab=attention"}',
  "# https://a.example/#v=1&lab=attention\n# X (2, 2)\n1,2\n3,4\n",
  '<svg xmlns="http://www.w3.org/2000/svg"><metadata>#v=1&amp;lab=vit</metadata></svg>',
  "#v=1&lab=attention&words=the,cat,sat",
  "the cat sat on the mat",
  "我用NLP，很好。",
  "👩‍👩‍👧 👍🏽 ❤️ 🏳️‍🌈 🇨🇳",
];

/** Characters, and short runs of them, that readers treat specially. */
const signs = [
  ..."0123456789",
  ...[".", "-", "+", "e", "E", "x", ",", ";", "\t", "\n", "\r\n", " ", "\u3000", "\u2212", "１", "．", "∞"],
  ...["[", "]", "...", "…", '"', "#", "&", "<", ">", "{", "\uFEFF", "\u200B", "\u200D", "\u202E", "\0"],
  ...["nan", "inf", "-inf", "e5", "1.", ".5", "1e", "#v=1", "<svg ", "<metadata", "</metadata>", "&amp;"],
  ...["\u0301", "\u0315\u0300", "e\u0301", "は\u3099", "猫", "😀", "\u{1F3F4}\u{E0067}", "\ud83d", "⁉"],
];

function pasted(draws: Draws): string {
  let text = draws.once(4)
    ? ""
    : draws.once(3)
      ? Array.from({ length: 1 + draws.below(30) }, () => draws.pick(signs)).join("")
      : draws.pick(whole);
  for (let change = draws.below(4); change > 0; change--) {
    const at = draws.below(text.length + 1);
    const sign = draws.pick(signs);
    const run = draws.once(longOnceIn)
      ? Math.ceil(longRun / sign.length)
      : draws.once(3)
        ? draws.below(200)
        : 1;
    // The run, or the text before it, may be anything; a character after it makes the reader read the run again.
    const put = sign.repeat(run) + (draws.once(2) ? draws.pick(signs) : "");
    const kept = draws.once(3) ? text.slice(at + draws.below(8)) : text.slice(at);
    text = text.slice(0, at) + put + kept;
  }
  return text;
}

/** Whether a text is a decimal number, checked character by character: `parseNumber` uses a regular expression. */
function isDecimal(text: string): boolean {
  let at = 0;
  const digits = (): number => {
    const from = at;
    while (text[at]! >= "0" && text[at]! <= "9") at++;
    return at - from;
  };
  const signed = (): void => void ((text[at] === "-" || text[at] === "+") && at++);
  signed();
  const before = digits();
  const point = text[at] === ".";
  if (point) at++;
  const after = point ? digits() : 0;
  if (before + after === 0) return false;
  if (text[at] === "e" || text[at] === "E") {
    at++;
    signed();
    if (digits() === 0) return false;
  }
  return at === text.length;
}

function numberFault(text: string): string | null {
  // Only plain characters: the tests of parseNumber cover the others.
  if (/[^ -~]/.test(text)) return null;
  const value = parseNumber(text);
  const plain = text.trim();
  const expected = isDecimal(plain) && Number.isFinite(Number(plain)) ? Number(plain) : null;
  return Object.is(value, expected) ? null : `read as the number ${value}, expected ${expected}`;
}

function wordsFault(text: string): string | null {
  const { min, max } = bounds.wordLength;
  const words = tokenize(text);
  for (const word of words)
    if (!isWord(word, min, max) && [...word].length <= max)
      return `cut into ${JSON.stringify(word)}, which is short and yet no word`;
  const fine = words.filter((word) => isWord(word, min, max));
  // A single word has no space beside it that would keep it whole.
  const again = fine.length === 1 ? fine : tokenize(fine.join(" "));
  if (again.length !== fine.length || again.some((word, at) => word !== fine[at]))
    return "its words are cut again into others";
  return /[\n\t]|^ | $/.test(plainText(text))
    ? "its plain text has white space that is no single space"
    : null;
}

/** Reads a paste with all readers; returns the fault, or null. `verdict` gets the result for its numbers. */
function fault(text: string, verdict: (name: string) => void): string | null {
  const read = readNumbers(text);
  verdict("problem" in read ? read.problem : "numbers");
  if ("problem" in read) {
    if ((read.text ?? "").length > 25) return `${read.text!.length} characters of it are quoted`;
    const lines = text.split(/\r\n|\n|\r/).length;
    if (read.line !== undefined && !(read.line >= 1 && read.line <= lines))
      return `refused for line ${read.line} of ${lines}`;
  } else {
    const size = read.shape.reduce((product, length) => product * length, 1);
    if (size !== read.data.length) return `${read.data.length} numbers read as of shape ${read.shape.join()}`;
  }
  const given = recognizeFile(new TextEncoder().encode(text));
  if (given.kind === "state" && !/^v=\d/.test(given.hash)) return `opened as ${JSON.stringify(given.hash)}`;
  return numberFault(text) ?? wordsFault(text);
}

/** Draws the pastes `from` to `from + count` of the seed; each depends only on its own number. Stops at five failures. */
export function fuzzPastes(
  { seed, count, from = 0 }: { seed: number; count: number; from?: number },
  told: (pastes: number) => void = () => {},
): PasteReport {
  const report: PasteReport = { pastes: 0, verdicts: {}, characters: 0, longest: 0, failures: [] };
  for (let number = from; number < from + count && report.failures.length < 5; number++) {
    const paste = pasted(new Draws(seed, number));
    report.characters += paste.length;
    report.longest = Math.max(report.longest, paste.length);
    let why: string | null;
    try {
      why = fault(paste, (name) => (report.verdicts[name] = (report.verdicts[name] ?? 0) + 1));
    } catch (error) {
      why = `thrown: ${error instanceof Error ? error.stack : String(error)}`;
    }
    if (why) report.failures.push({ number, paste, why });
    report.pastes++;
    if (report.pastes % 10_000 === 0) told(report.pastes);
  }
  return report;
}
