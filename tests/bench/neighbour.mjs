// A process that reads 64 MB of memory without end, as other programs of a busy machine do: it uses the time of a processor, its caches and
// the bandwidth of its memory.
const numbers = new Float64Array(8 * 1024 * 1024).fill(1);
process.on("disconnect", () => process.exit());

/** Reads the memory once, then lets events run: the benchmark disconnects when it ends. */
function pass() {
  numbers.reduce((sum, number) => sum + number);
  setImmediate(pass);
}
pass();
