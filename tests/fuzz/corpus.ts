/** The links that mutations start from: all published ones, those of the READMEs, the largest possible ones, and malicious ones made by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { bounds, linkBounds } from "../../web/config/bounds.js";
import { encode } from "../../web/config/codec.js";
import type { Config, Edit, LabId, Matrix, NumbersOf } from "../../web/config/config.js";
import { defaults } from "../../web/config/defaults.js";
import { Draws } from "./draws.js";

export interface Corpus {
  /** Links of about a hundred characters, as most published ones are. */
  readonly small: readonly string[];
  /** Links up to the maximum length, and those that need much work. */
  readonly large: readonly string[];
}

export const packed = (bytes: Uint8Array | string): string =>
  `z1:${deflateRawSync(bytes, { level: 9 }).toString("base64url")}`;

const changed = <L extends LabId>(lab: L, change: Partial<NumbersOf[L]>): string => {
  const config = defaults(lab);
  return encode({ ...config, example: null, numbers: { ...config.numbers, ...change } } as Config);
};

/** The links in a text: between backticks, quotes or on lines of their own. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/#((?:v|ex|lab)=[^\s"'`<>)]+)/g)].map((match) => match[1]!);

/** The largest and most compressed links that the page can write. */
function generated(): string[] {
  const draws = new Draws(1, 0);
  const rows = (height: number, width: number, make: () => number): Matrix =>
    Array.from({ length: height }, () => Array.from({ length: width }, make));
  const bits = (size: number): boolean[][] =>
    Array.from({ length: size }, () => Array.from({ length: size }, () => draws.once(2)));
  const typed = () => (draws.below(80_001) - 40_000) / 1e4;
  const any = () => draws.bits() / 2 ** 32 + draws.bits() / 2 ** 60;
  const words = (count: number, word: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => word(at));
  const pixels = (size: number, most: number) =>
    Uint8Array.from({ length: 3 * size * size }, () => draws.below(most));
  const edits = (count: number): Edit[] =>
    Array.from({ length: count }, (_, at) => ({ node: "W_Q", index: [at >> 5, at & 31], value: typed() }));
  const own = { source: "words", x: null, draw: "scaled" } as const;
  return [
    changed("attention", {
      ...own,
      tokens: ["a"],
      dim: 16,
      keyDim: 16,
      valueDim: 16,
      wq: rows(16, 16, typed),
    }),
    changed("attention", { ...own, tokens: ["a"], dim: 16, keyDim: 16, valueDim: 16, wk: rows(16, 16, any) }),
    changed("attention", { ...own, dim: 128, keyDim: 32, valueDim: 32, edits: edits(4096) }),
    changed("attention", {
      ...own,
      tokens: words(64, (at) => `word${at}`),
      mask: "painted",
      paint: bits(64),
    }),
    changed("attention", {
      ...own,
      tokens: words(64, () => "猫".repeat(40)),
      memory: words(64, () => "\u{1F600}".repeat(40)),
    }),
    // prettier-ignore
    changed("attention", {
      ...own, tokens: words(64, () => "a"), dim: 512, keyDim: 128, valueDim: 128, source: "values",
      x: rows(64, 512, () => 0), wq: rows(512, 128, () => 1), wk: rows(512, 128, () => -1), wv: rows(512, 128, () => 0.5),
    }),
    changed("positions", { length: 512, dim: 512, x: rows(512, 512, () => 0) }),
    changed("positions", { length: 512, positions: words(512, String).map((_, at) => at * 7) }),
    changed("vit", { size: 16, image: { pixels: pixels(16, 16) } }),
    changed("vit", { size: 32, image: { pixels: pixels(32, 2) } }),
    changed("vit", { size: 64, image: { pixels: pixels(64, 16) } }),
    changed("vit", { size: 64, image: { pixels: pixels(64, 1) } }),
  ].filter((link) => link.length <= linkBounds.characters);
}

const bomb = (bytes: number): string => packed(new Uint8Array(bytes));

/** The base64 of doubles after a height and a width. */
function raw(height: number, width: number, ...values: number[]): string {
  const bytes = Buffer.alloc(4 + 8 * values.length);
  bytes.writeUInt16LE(height, 0);
  bytes.writeUInt16LE(width, 2);
  values.forEach((value, at) => bytes.writeDoubleLE(value, 4 + 8 * at));
  return bytes.toString("base64url");
}

/** Made by hand to break the decoder: invalid text, invalid numbers, payloads that are larger than they look. */
const hostileLinks = (): string[] => [
  "",
  "#",
  "&&&&",
  "====",
  "v=2&lab=vit",
  "v=999999999",
  "v=1e3&lab=vit",
  "v=&lab=&ex=&c=",
  "c",
  "v=1&c",
  "v=1&c&ex=four-words&c=",
  "v=1&c&ex=four-words&c=zzzzzzz",
  "v=1&c&lab=attention&tok",
  "%",
  "%%%%25%2",
  "%76%3D1%26lab%3Dvit",
  "%2576%253D1%2526lab%253Dvit",
  "lab=%76%69%74&seed=%31%32",
  "tokens=%E7%8C&memory=%8C%AB&lab=attention",
  "tokens=%ED%A0%80,%ED%B0%80,%C0%80,%F4%90%80%80",
  "tokens=\ud800,\udc00,\udc00\ud800",
  "tokens=\u202e\u2066abc,\u0000,\ufeff",
  "tokens=a,,b,%252C,%2525,%25252C",
  "__proto__=1&constructor=2&toString=3&lab=__proto__&ex=constructor",
  "ex=__proto__&cell=__proto__,0&image=__proto__",
  "lab=attention&dim=1e400&dk=NaN&dv=Infinity&seed=-1",
  "lab=attention&dim=99999999999999999999&dk=-0&dv=0x10&seed=1e-400",
  "lab=attention&x=1,2;3&wq=;;;&wk=,,,&wv=1e308,-1e308;1e309,1",
  "lab=attention&x=1,NaN;Infinity,-Infinity",
  "lab=attention&paint=111;1;;&mask=painted",
  "lab=attention&edit=W_Q,0,0,1;W_Q,0,0,1;W_Q,9,9,9;X,-1,0,1;__proto__,0,0,1",
  "lab=attention&edit=W_Q,0,0,0,0,0,1;W_Q;W_Q,1;,,,",
  "lab=multi-head&dim=7&heads=2&dk=3&dv=0&batch=16&item=15",
  "lab=multi-head&dim=512&heads=13&tokens=none&source=words",
  "lab=positions&encoding=rotary&dim=511&positions=0,1e6,1000001&offset=-513&base=0",
  "lab=positions&encoding=compare&tokens=none&swap=0,63&wdim=3",
  "lab=vit&image=hex:0&size=16&patch=32&dim=7&cls=1&layers=4&heads=8",
  "lab=vit&image=b64:AAAA&edit=image,2,63,63,255",
  "lab=encoder-decoder&tokens=the,cat,the,cat&steps=99&trained=1",
  "lab=optimizers&rates=1,1,1,1&start=1&points=1,2;3&steps=0&step=9",
  "lab=block&x=1,2,3&claim=1,2&part=block&heads=16&dim=15",
  "lab=losses&classes=a,a&targets=9,9,9&logits=1;2&spread=x",
  "lab=complexity&length=1e9&dim=63&heads=3&kernel=2&near=5&measured=10",
  "lab=scaling&source=unit&keys=17&query=20",
  "lab=bert&tokens=a&second=b&hidden=0,1,2,3,25,25&dim=31&heads=8",
  "lab=words&names=a,a,b,c&x=1;2;3;4&analogy=9,9,9&text=.,.,.&at=159&step=200&steps=1",
  "lab=attention&cell=weights,0,0,0,0,0&pin=2&scales=both&item=1&lang=zh-TW&theme=Dark",
  "lab=attention&wq=b64:AAAA&wk=b64:_____w&wv=z1:AAAA&x=z1:",
  `lab=attention&wq=b64:${raw(65535, 65535)}`,
  `lab=attention&dim=2&dk=1&wq=b64:${raw(2, 1, NaN, -Infinity)}`,
  "lab=attention&wq=b32:AAAA&wk=b32:_____________w&wv=b32:AQAAAAEAAAAAAMB_",
  `lab=attention&tokens=${packed("a,b,c")}&tokens=${packed("a,b,d")}`,
  `lab=attention&tokens=${packed("z1:AAAA")}&memory=${packed(packed("a,b"))}`,
  `lab=attention&tokens=${packed(Buffer.from([0xff, 0xfe, 0xc3]))}`,
  `lab=vit&size=16${"&patch=4".repeat(1.5 * linkBounds.fields)}`,
];

/** Links that need much work: decompression bombs, stacked diacritics, rows that never end. */
const greedy = (): string[] => {
  const fields = ["tokens", "memory", "x", "wq", "wk", "wv", "paint", "edit"];
  const of = (value: string) => `lab=attention&${fields.map((name) => `${name}=${value}`).join("&")}`;
  const cap = linkBounds.characters;
  return [
    `tokens=${bomb(30_000_000)}`,
    of(bomb(5_000_000)),
    of(bomb(linkBounds.inflated)),
    of(packed("0,".repeat(1_000_000))),
    of(packed("1;".repeat(1_000_000))),
    of(packed(`${`${"0,".repeat(511)}0;`.repeat(511)}${"0,".repeat(511)}0`)),
    of(packed("\u0301\u0316".repeat(300_000))),
    of(packed("9".repeat(400_000))),
    of(packed("%E7%8C".repeat(200_000))),
    of(packed("W_Q,0,0,1;".repeat(bounds.edits.max - 1) + "W_Q,0,0,1")),
    of(packed("Nowhere,4095,4095,1;".repeat(bounds.edits.max - 1) + "Nowhere,0,0,1")),
    `lab=vit&image=${bomb(20_000_000)}`,
    `lab=vit&image=hex:${"0".repeat(3 * 64 * 64)}`,
    `lab=vit&image=hex:${"f".repeat(cap - 100)}`,
    `lab=attention&tokens=z1:${deflateRawSync(Buffer.alloc(45_000, "ab,"), { level: 0 }).toString("base64url")}`,
    `lab=attention&tokens=z1:${"=".repeat(60_000)}AAAA`,
    `lab=attention&wq=${"1,".repeat(32_000)}1`,
    `lab=attention&wq=${"1;".repeat(32_000)}1`,
    `lab=attention&tokens=${"%41".repeat(21_000)}`,
    `lab=attention&tokens=${"%ED%A0%80".repeat(7_000)}`,
    `lab=attention&tokens=${"e\u0301\u0316".repeat(20_000)}`,
    `lab=attention&seed=${"1".repeat(60_000)}`,
    "%".repeat(cap),
    "%25".repeat(cap / 3),
    "&".repeat(cap),
    "\ud800".repeat(cap),
    "a=1&".repeat(cap / 4),
    `${Array.from({ length: linkBounds.fields + 6 }, (_, at) => `f${at}=${packed("0".repeat(1000))}`).join("&")}`,
    "a".repeat(cap + 1),
  ];
};

/** `project` is the folder of the project. */
export function linkCorpus(project: string): Corpus {
  const text = (file: string) => readFileSync(join(project, file), "utf8");
  const given = (JSON.parse(text("tests/links/version-1.json")) as { link: string }[]).map(
    ({ link }) => link,
  );
  const published = ["README.md", "web/config/README.md"].flatMap((file) => linksIn(text(file)));
  const all = [...given, ...published, ...generated(), ...hostileLinks()];
  const isSmall = (link: string) => link.length <= 2000;
  return { small: all.filter(isSmall), large: [...all.filter((link) => !isSmall(link)), ...greedy()] };
}
