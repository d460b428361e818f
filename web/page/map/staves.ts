/** The map as two staves, one above the other, for wide screens: the encoder, below it the decoder, and under both the way back of the gradient. */
import { textWidth } from "../../marks/measure.js";
import { BRACKET, CAPTION_BELOW, labelWidth, legends, place } from "../../stage/place.js";
import { attentions, blocks, families, sizeOf, tensorsOf, type Kind } from "./blocks.js";
import { MapDrawing, NAME_LINE, type MapPicture, type MapRoom } from "./picture.js";
import { places, staves, type BlockId, type Place, type Stave } from "./places.js";

/** Lengths are those of a map with rows of 18 px, which has the width of a window of 1440 px. */
const ROW = 18;
const WIDTH = 1392;
/** The gap before each kind of block, and the width of activations and of the network. */
const GAP: Readonly<Record<Kind, number>> = {
  words: 0,
  places: 22,
  input: 22,
  self: 38,
  masked: 38,
  cross: 44,
  sum: 34,
  network: 42,
  memory: 34,
  next: 38,
};
const LEAST_GAP = 20;
const ACTIVATION = 56;
const NETWORK = 72;
const BETWEEN_HEADS = 20;
/** The least room for the words of the rows, and for the name of a stave under them. */
const LEAST_LEFT = 70;
/** How far after its start a residual line leaves the row, and how far it ends before the sum. */
const LEAVES = 16;
const JOINS = 17;
/** The longest predicted word. */
const PREDICTED = 74;

/** The lanes of names above the encoder and above the decoder, and the least rows of a map. */
const LANE = { encoder: 22, decoder: 26, top: 4, above: 20 };
const LEAST_ROW = 12;
const MOST_ROW = 26;

const LEAST_DASHES = 40;

interface Spot {
  x: number;
  width: number;
}

export function stavesPicture(room: MapRoom): MapPicture {
  const { config, strings, snapshots, width, labs } = room;
  const drawing = new MapDrawing(room, 14);
  const { scene } = drawing;
  const row = Math.max(LEAST_ROW, Math.min(MOST_ROW, Math.floor((width * ROW) / WIDTH)));
  const scaled = (length: number): number => (length * row) / ROW;
  const left = Math.max(LEAST_LEFT, labelWidth([...room.rows.encoder, ...room.rows.decoder]));

  const spots = new Map<BlockId, Spot>();
  const spotOf = (id: BlockId): Spot => spots.get(id)!;
  const endOf = (id: BlockId): number => spotOf(id).x + spotOf(id).width;
  for (const stave of ["encoder", "decoder"] as const) {
    let x = left;
    for (const name of staves[stave]) {
      const id = `${stave}.${name}` as BlockId;
      const { kind } = blocks[id];
      x += name === "words" ? 0 : Math.max(LEAST_GAP, scaled(GAP[kind]));
      const heads = 2 * sizeOf(id, config).keys * row + BETWEEN_HEADS;
      const own = attentions.includes(kind)
        ? heads
        : kind === "next"
          ? Math.min(scaled(150), width - x - PREDICTED)
          : scaled(kind === "network" ? NETWORK : ACTIVATION);
      spots.set(id, { x, width: own });
      x += own;
    }
  }

  const lanes = { encoder: LANE.top, decoder: 0 };
  const top = { encoder: LANE.top + 3 * LANE.encoder + 14, decoder: 0 };
  const rowsOf = (stave: Stave): number => sizeOf(`${stave}.words`, config).rows;
  const bottomOf = (stave: Stave): number => top[stave] + rowsOf(stave) * row;
  const channel = bottomOf("encoder") + CAPTION_BELOW + 10;
  top.decoder = channel + 98;
  lanes.decoder = top.decoder - 30 - 2 * LANE.decoder + 4;
  const back = bottomOf("decoder") + CAPTION_BELOW + 24;

  for (const stave of ["encoder", "decoder"] as const) drawStave(stave);

  function drawStave(stave: Stave): void {
    const ids = staves[stave].map((name) => `${stave}.${name}` as BlockId);
    const [y, bottom] = [top[stave], bottomOf(stave)];
    const middle = (y + bottom) / 2;
    drawing.rule([left, middle], [endOf(ids.at(-1)!), middle]);
    const [words, placesAt, input] = ids as [BlockId, BlockId, BlockId];
    for (const [sign, from, to] of [
      ["+", words, placesAt],
      ["=", placesAt, input],
    ] as const)
      scene.labels.push({
        x: (endOf(from) + spotOf(to).x) / 2,
        y: middle + 5,
        text: sign,
        kind: "word",
        size: 16,
        anchor: "middle",
        over: true,
      });
    // Each sum adds what came in to the result of the block before it.
    let from = input;
    for (const id of ids.filter((other) => blocks[other].kind === "sum")) {
      const [leaves, joins] = [endOf(from) + scaled(LEAVES), spotOf(id).x - scaled(JOINS)];
      drawing.wire("activation", 1.5, [leaves, middle], [leaves, y - 12], [joins, y - 12], [joins, middle]);
      drawing.ring(joins, middle);
      from = id;
    }
    for (const id of ids) drawBlock(id, y);
    const does = strings(`${stave}.does`);
    scene.labels.push({ x: 0, y: bottom + 23, text: strings(stave), kind: "heading" });
    scene.labels.push({ x: 0, y: bottom + 40, text: does, kind: "caption" });
  }

  function drawBlock(id: BlockId, y: number): void {
    const { x, width: own } = spotOf(id);
    const { rows } = sizeOf(id, config);
    drawing.blocks.push({
      id,
      x: x - BRACKET - 3,
      y: y - 6,
      width: own + 2 * BRACKET + 6,
      height: rows * row + CAPTION_BELOW + 4,
    });
    const tensors = tensorsOf(id, snapshots, strings);
    const each = (own - (tensors.length - 1) * BETWEEN_HEADS) / tensors.length;
    tensors.forEach((tensor, at) => {
      const first = id.endsWith(".words");
      place(scene, tensor, x + at * (each + BETWEEN_HEADS), y, each / tensor.columns, row, {
        id: `${id}-${at}`,
        caption: "below",
        captionWidth: own + scaled(GAP[blocks[id].kind] || GAP.places) - 4,
        ...(first ? { rowNames: room.rows[id === "encoder.words" ? "encoder" : "decoder"] } : {}),
      });
    });
  }

  // The memory goes down to the cross attention as keys and values.
  const [memory, asked] = [endOf("encoder.memory"), spotOf("decoder.cross").x];
  const heard = (top.encoder + bottomOf("encoder")) / 2;
  const asks = asked - BRACKET - 2;
  const down = memory + 22;
  const into = endOf("decoder.sum1") + scaled(GAP.cross) - 24;
  const at = top.decoder + row / 2;
  for (const [role, out, far] of [
    ["key", -3, 6],
    ["value", 3, 0],
  ] as const)
    drawing.wire(
      role,
      2,
      [memory + BRACKET + 2, heard + out],
      [down + far, heard + out],
      [down + far, channel + far],
      [into + far, channel + far],
      [into + far, at + 6 - far],
      [asks, at + 6 - far],
    );
  const said = strings("memory");
  if (textWidth(said, 12.5) < down - 60 - into)
    scene.labels.push({ x: down - 52, y: channel + 28, text: said, kind: "caption", anchor: "end" });
  scene.labels.push(
    { x: down - 44, y: channel + 28, text: "K", symbol: { text: "K" }, kind: "symbol", role: "key" },
    { x: down - 22, y: channel + 28, text: "V", symbol: { text: "V" }, kind: "symbol", role: "value" },
  );

  // The words that the rows predict.
  room.predicted.forEach((word, at) =>
    scene.labels.push({
      x: endOf("decoder.next") + BRACKET + 6,
      y: top.decoder + (at + 0.5) * row + 4,
      text: word,
      kind: "caption",
      role: "output",
    }),
  );

  // The labs over what they are about.
  const onTheWayBack = labs.filter(({ id }) => !(places[id] as Place).at);
  for (const lab of labs) {
    const { at: block, to, lane, atRows, atEnd }: Place = places[lab.id];
    if (!block) continue;
    const stave = block.startsWith("encoder") ? "encoder" : "decoder";
    const { x, width: own } = spotOf(block);
    if (lane === "below") {
      const y = bottomOf(stave) + CAPTION_BELOW;
      drawing.rule([x + 6, y - 2], [x + 6, y + 5]);
      drawing.name(lab, x - BRACKET, y + 5);
      continue;
    }
    const y = lanes[stave] + lane * LANE[stave];
    if (!to) {
      const under = atRows ? 8 : x + own / 2;
      drawing.rule([under, y + NAME_LINE], [under, top[stave] - 6]);
      drawing.name(lab, atRows ? 0 : x - BRACKET, y);
      continue;
    }
    const [from, end] = [x - BRACKET - 1, endOf(to) + BRACKET + 1];
    const bracket = y + NAME_LINE + 1;
    drawing.rule([from, bracket + 5], [from, bracket], [end, bracket], [end, bracket + 5]);
    drawing.name(lab, atEnd ? end - drawing.nameWidth(lab) : from, y);
  }

  // The way back of the gradient, with the labs about learning on it.
  const start = spotOf("decoder.next").x + spotOf("decoder.next").width / 2;
  let ends = start;
  const text = strings("back");
  const breaks: Spot[] = [];
  const textX = endOf("decoder.sum3") - textWidth(text, 12.5) - scaled(20);
  breaks.push({ x: textX, width: textWidth(text, 12.5) });
  scene.labels.push({ x: textX, y: back + 4, text, kind: "caption" });
  const apart = scaled(36);
  const all = onTheWayBack.reduce((sum, lab) => sum + drawing.nameWidth(lab) + apart, 0);
  let x = Math.min(spotOf("decoder.self").x, textX - all);
  for (const lab of onTheWayBack) {
    drawing.name(lab, x, back - NAME_LINE / 2);
    breaks.push({ x, width: drawing.nameWidth(lab) });
    x += drawing.nameWidth(lab) + apart;
  }
  breaks.sort((one, other) => other.x - one.x);
  for (const [place, { x: from, width: own }] of breaks.entries()) {
    // Between two texts that are close there is no line.
    if (place > 0 && ends - from - own < LEAST_DASHES) {
      ends = from - 10;
      continue;
    }
    const corner: [number, number][] = place === 0 ? [[start, bottomOf("decoder") + CAPTION_BELOW + 4]] : [];
    drawing.dashes(...corner, [ends, back], [from + own + 10, back]);
    ends = from - 10;
  }
  drawing.dashes([ends, back], [left + 8, back]);
  drawing.arrow(left + 2, back);

  // Under the words of the encoder, where nothing covers them.
  legends(scene, families, { x: 0, y: channel, width: spotOf("encoder.self").x - BRACKET }, 1, (family) =>
    strings(`legend.${family as "activations"}`),
  );
  return drawing.done(back + 16);
}
