/** Mutations of a link. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { linkBounds } from "../../web/config/bounds.js";
import { labIds } from "../../web/config/labs.js";
import { beforePrefix, numberFields } from "../../web/config/state.js";
import { viewFields } from "../../web/config/view.js";
import type { Corpus } from "./corpus.js";
import type { Draws } from "./draws.js";

/** Every field name, and a few unknown ones. */
const names = [
  ...new Set([
    "v",
    "c",
    "lab",
    "ex",
    "before",
    ...labIds.flatMap(numberFields).flatMap(({ name }) => [name, beforePrefix + name]),
    ...viewFields.map(({ name }) => name),
  ]),
  ...["__proto__", "constructor", "ui", ""],
];

/** Numbers at the edges of every range, and texts that look like numbers. */
const edges = [
  ...[
    "0",
    "-0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "8",
    "9",
    "12",
    "13",
    "15",
    "16",
    "17",
    "25",
    "26",
    "32",
    "40",
    "41",
  ],
  ...["63", "64", "65", "127", "128", "129", "159", "160", "200", "201", "400", "511", "512", "513", "1024"],
  ...["4095", "4096", "4097", "65535", "65536", "1000000", "1000001", "4294967295", "4294967296"],
  ...["9007199254740993", "1e21", "1e308", "1e309", "-1e309", "5e-324", "1e-400", "0.1", "-0.5", "0.99999"],
  ...[
    "NaN",
    "Infinity",
    "-Infinity",
    "0x10",
    "1e",
    "1e5e5",
    ".",
    "-",
    "+4",
    " 8 ",
    "1_000",
    "٣",
    "\u22125",
    "1,5",
  ],
  "9".repeat(400),
  "0".repeat(401),
];

const snippets = [
  ...[
    "&",
    "=",
    ";",
    ",",
    "%",
    "#",
    "+",
    "-",
    ".",
    " ",
    "\u0000",
    "\n",
    "%25",
    "%26",
    "%3D",
    "%00",
    "%E7%8C",
    "%zz",
  ],
  ...["\ud800", "\udc00", "\u202e", "\u0301", "\u0316", "\u200d", "\ufeff", "猫", "👩‍👩‍👧", "é"],
  ...[
    "z1:",
    "b64:",
    "b32:",
    "hex:",
    "none",
    "c=",
    "&c&",
    "v=1",
    "v=2",
    "lab=",
    "ex=",
    "__proto__",
    "1,0;0,1",
    "W_Q,0,0,1",
  ],
];

const separators = "&=,;%";

type Mutation = (link: string, draws: Draws, corpus: Corpus) => string;

const any = (draws: Draws, corpus: Corpus): string => draws.pick(corpus.small);
const part = (link: string, draws: Draws): string => draws.pick(link.split("&"));

/** The fields of a link with one of them replaced. */
function withPart(link: string, draws: Draws, make: (name: string, value: string) => string): string {
  const parts = link.split("&");
  const at = draws.below(parts.length);
  const [name = "", ...rest] = parts[at]!.split("=");
  parts[at] = make(name, rest.join("="));
  return parts.join("&");
}

function spoiledBytes(bytes: Buffer, draws: Draws): Buffer {
  if (bytes.length === 0) return bytes;
  const damaged = Buffer.from(bytes);
  for (let left = 1 + draws.below(3); left > 0; left--) {
    const at = draws.below(damaged.length);
    if (draws.once(2)) damaged[at] = damaged[at]! ^ (1 << draws.below(8));
    else damaged[at] = draws.below(256);
  }
  return draws.once(4) ? damaged.subarray(0, draws.below(damaged.length + 1)) : damaged;
}

function inflated(bytes: Buffer): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: 2 * linkBounds.inflated });
  } catch {
    return bytes;
  }
}

const text = (bytes: Buffer): string => bytes.toString("base64url");

/** Unpacks a payload, mutates it and packs it again, so that the code behind the unpacking is reached. */
function repackedValue(value: string, draws: Draws): string {
  const raw = /^b(?:64|32):/.exec(value)?.[0];
  if (raw) return raw + text(spoiledBytes(Buffer.from(value.slice(raw.length), "base64url"), draws));
  if (!value.startsWith("z1:")) return `z1:${text(deflateRawSync(Buffer.from(value)))}`;
  const bytes = Buffer.from(value.slice(3), "base64url");
  switch (draws.below(6)) {
    case 0:
      return `z1:${text(spoiledBytes(bytes, draws))}`;
    case 1:
      return `z1:${value.slice(3, 3 + draws.below(value.length))}`;
    case 2:
      return `${draws.below(2) === 0 ? "b64" : "b32"}:${text(inflated(bytes))}`;
    case 3: {
      // The same value repeated: a decompression bomb, or a list with far too many items.
      const plain = inflated(bytes).subarray(0, 4096);
      const times = Math.ceil(draws.below(3 * linkBounds.inflated) / (plain.length + 1));
      return `z1:${text(deflateRawSync(Buffer.alloc(plain.length * times, plain), { level: 1 }))}`;
    }
    default:
      return `z1:${text(deflateRawSync(spoiledBytes(inflated(bytes), draws), { level: draws.below(10) }))}`;
  }
}

const mutations: readonly Mutation[] = [
  function flip(link, draws) {
    const at = draws.below(link.length + 1);
    return (
      link.slice(0, at) +
      String.fromCharCode(link.charCodeAt(at) ^ (1 << draws.below(7))) +
      link.slice(at + 1)
    );
  },
  function insert(link, draws) {
    const at = draws.below(link.length + 1);
    const what = draws.once(2)
      ? draws.pick(snippets)
      : String.fromCharCode(draws.below(draws.once(4) ? 65536 : 128));
    return link.slice(0, at) + what + link.slice(at);
  },
  function remove(link, draws) {
    const at = draws.below(link.length + 1);
    return link.slice(0, at) + link.slice(at + 1 + draws.below(draws.once(4) ? 64 : 4));
  },
  function cutOff(link, draws) {
    return link.slice(0, draws.below(link.length + 1));
  },
  function splice(link, draws, corpus) {
    const other = any(draws, corpus);
    return link.slice(0, draws.below(link.length + 1)) + other.slice(draws.below(other.length + 1));
  },
  function joined(link, draws, corpus) {
    const others = any(draws, corpus).split("&");
    return [...link.split("&"), ...others].filter(() => !draws.once(5)).join("&");
  },
  function duplicated(link, draws, corpus) {
    return `${link}&${part(draws.once(2) ? link : any(draws, corpus), draws)}`;
  },
  function swapped(link, draws) {
    const parts = link.split("&");
    const [one, two] = [draws.below(parts.length), draws.below(parts.length)];
    [parts[one], parts[two]] = [parts[two]!, parts[one]!];
    return parts.join("&");
  },
  function renamed(link, draws) {
    return withPart(link, draws, (_name, value) => `${draws.pick(names)}=${value}`);
  },
  function given(link, draws, corpus) {
    const value = (from: string) => from.slice(from.indexOf("=") + 1);
    return withPart(link, draws, (name) => `${name}=${value(part(any(draws, corpus), draws))}`);
  },
  function added(link, draws) {
    return `${draws.pick(names)}=${draws.pick(draws.once(2) ? edges : snippets)}&${link}`;
  },
  function edge(link, draws) {
    const numbers = [...link.slice(0, 4000).matchAll(/\d+(?:\.\d+)?/g)];
    if (numbers.length === 0) return link;
    const found = draws.pick(numbers);
    return link.slice(0, found.index) + draws.pick(edges) + link.slice(found.index + found[0].length);
  },
  function separated(link, draws) {
    const at = [...link.slice(0, 4000).matchAll(/[&=,;%]/g)].map(({ index }) => index);
    if (at.length === 0) return link;
    const place = draws.pick(at);
    return link.slice(0, place) + separators[draws.below(separators.length)]! + link.slice(place + 1);
  },
  function repeated(link, draws) {
    const at = draws.below(link.length + 1);
    const piece = link.slice(at, at + 1 + draws.below(24));
    const times = draws.once(40) ? 4000 : 1 + draws.below(40);
    return link.slice(0, at) + piece.repeat(times) + link.slice(at);
  },
  function escaped(link, draws) {
    switch (draws.below(4)) {
      case 0:
        return encodeURIComponent(link.replace(/\p{Cs}/gu, "\ufffd"));
      case 1:
        return link.replaceAll("%", "%25");
      case 2:
        return link.replaceAll(",", "%2C");
      default:
        return link.replace(/%([0-7][0-9a-f])/gi, (_whole, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
    }
  },
  function repacked(link, draws) {
    return withPart(link, draws, (name, value) => `${name}=${repackedValue(value, draws)}`);
  },
  function payloads(link, draws) {
    return link.replace(/(?<==)(?:z1|b64|b32):[\w-]*/g, (value) => repackedValue(value, draws));
  },
];

/** A link after one or several mutations; at most twice the maximum length. */
export function mutated(draws: Draws, corpus: Corpus, largeOnceIn: number): string {
  let link = draws.pick(draws.once(largeOnceIn) ? corpus.large : corpus.small);
  for (let left = 1 + draws.below(draws.once(3) ? 8 : 3); left > 0; left--)
    link = draws
      .pick(mutations)(link, draws, corpus)
      .slice(0, 2 * linkBounds.characters);
  return link;
}
