// The report as text: a line for each task, then the loaded bytes, the memory, and the edits of the examples.
import { contestants, OURS } from "./contestants.mjs";

const PLAIN = contestants[1].name;

/** Three significant figures in the best unit. */
function time(milliseconds) {
  if (milliseconds === undefined) return "-";
  if (milliseconds < 1) return `${(milliseconds * 1000).toPrecision(3)} us`;
  return milliseconds < 1000
    ? `${milliseconds.toPrecision(3)} ms`
    : `${(milliseconds / 1000).toPrecision(3)} s`;
}

function percent(share) {
  if (share === undefined || share === null) return "-";
  return share < 0.01 ? "<1 %" : `${Math.round(share * 100)} %`;
}
const speed = (row, flops) => (row?.median === undefined ? null : flops / row.median / 1e6);
const gflops = (value) => (value === null ? "-" : value < 1 ? value.toFixed(3) : value.toFixed(1));
const ratio = (value) => (value === undefined ? "-" : value.toFixed(2));
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;

/** A table as text. The first column is aligned to the left, the others to the right. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A contestant's cell: its median, or that it cannot do the task, or that its numbers disagree. */
function cell(row) {
  if (row.cannot !== undefined) return "cannot";
  if (!row.agrees) return "DISAGREES";
  return (row.repeats === 0 ? "once " : "") + time(row.median);
}

const rowOf = (work, name) => work.rows.find((row) => row.name === name);

/** The figures of our two builds: GFLOP/s, the fraction of the build's own peak, the time of the best of the others over ours. */
const figures = (work) =>
  [OURS, PLAIN].map((name) => ({
    gflops: gflops(speed(rowOf(work, name), work.flops)),
    ofPeak: percent(work.ofPeak[name]),
    ratio: ratio(work.ratios[name]),
  }));

export function workLine(work) {
  const [relaxed, plain] = figures(work).map((one) => `${one.gflops} GFLOP/s, ${one.ofPeak}, x${one.ratio}`);
  const other = work.best ? `${work.best} ${time(rowOf(work, work.best).median)}` : "no other has it";
  const wrong = work.rows.filter(({ agrees }) => agrees === false).map(({ name }) => `; DISAGREES: ${name}`);
  return `${work.id}: ours ${relaxed}; plain ${plain}; ${other}${wrong.join("")}`;
}

const notes = (works) =>
  works.flatMap(({ id, rows }) =>
    rows.flatMap(({ name, cannot, agrees, deviation }) => {
      if (cannot !== undefined && cannot !== "does not have it") return [`  ${id}, ${name}: ${cannot}`];
      return agrees === false
        ? [`  ${id}, ${name}: off by ${deviation.toExponential(1)} of the largest number`]
        : [];
    }),
  );

function worksReport({ works, peak }) {
  const names = contestants.map(({ name }) => name);
  const heads = ["", ...names, "GFLOP/s", "of peak", "plain", "of peak", "best other", "/ ours", "/ plain"];
  const lines = works.map((work) => {
    const [relaxed, plain] = figures(work);
    return [
      work.id,
      ...names.map((name) => cell(rowOf(work, name))),
      ...[relaxed.gflops, relaxed.ofPeak, plain.gflops, plain.ofPeak],
      ...[work.best ?? "-", relaxed.ratio, plain.ratio],
    ];
  });
  const problems = notes(works);
  return [
    `Median time of one run; / ours: the best other's time over ours in the same rounds, above 1 ours is faster.`,
    `Peak of the registers in this run: ${gflops(peak.simd)} GFLOP/s plain SIMD, ${gflops(peak.relaxed)} relaxed SIMD.`,
    `GFLOP/s counts only the products; of peak: the fraction of the registers' speed in the same rounds, with the build's own instructions.`,
    `cannot: does not have the task, or refused it; once: a run too long to repeat.`,
    "",
    table([heads, ...lines]),
    ...(problems.length ? ["", "Refused, or with other numbers:", ...problems] : []),
  ].join("\n");
}

function loadingReport(rows) {
  const lines = rows.map((row) =>
    row.cannot !== undefined || !row.agrees
      ? [row.name, row.cannot === undefined ? "DISAGREES" : "cannot", "-", "-", "-"]
      : [row.name, time(row.milliseconds), ...[row.raw, row.gzip, row.brotli].map(megabytes)],
  );
  return [
    "From navigation to the first result, and the bytes loaded for it:",
    "",
    table([["", "first result", "raw", "gzip", "brotli"], ...lines]),
    ...reasons(rows),
  ].join("\n");
}

/** The lines under a table: the contestants that failed, and the reasons. */
const reasons = (rows) =>
  rows.flatMap(({ name, cannot }) => (cannot === undefined ? [] : [`  ${name}: ${cannot}`]));

function memoryReport(rows) {
  const lines = rows.map((row) =>
    row.cannot !== undefined
      ? [row.name, "-", "cannot"]
      : [row.name, megabytes(row.before), megabytes(row.after) + (row.agrees ? "" : " DISAGREES")],
  );
  return [
    `WebAssembly memory before and after attention of one head, L 8192, d 64 (inputs and output are 8.39 MB):`,
    "",
    table([["", "before", "after"], ...lines]),
    ...reasons(rows),
  ].join("\n");
}

function editingReport(rows) {
  const edited = rows.filter(({ node }) => node !== null).sort((a, b) => b.milliseconds - a.milliseconds);
  const lines = edited.map(({ id, node, nodes, milliseconds }) => [
    id,
    node,
    String(nodes),
    time(milliseconds),
  ]);
  return `One cell of each example edited, in the worker (a frame is 16 ms):\n\n${table([["", "cell of", "nodes", "time"], ...lines])}`;
}

/** The whole report. */
export function report(results) {
  return [
    results.works.length && worksReport(results),
    results.loading.length && loadingReport(results.loading),
    results.memory.length && memoryReport(results.memory),
    results.editing.length && editingReport(results.editing),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** The failures of a run: disagreeing numbers, and tasks that our core could not do. */
export function failures({ works, loading, memory }) {
  const wrong = (what, rows) =>
    rows.flatMap(({ name, agrees, cannot }) => {
      if (agrees === false) return [`${what}: ${name} disagrees`];
      return cannot !== undefined && name.startsWith(OURS) ? [`${what}: ${name}: ${cannot}`] : [];
    });
  return [
    ...works.flatMap(({ id, rows }) => wrong(id, rows)),
    ...wrong("first result", loading),
    ...wrong("memory", memory),
  ];
}
