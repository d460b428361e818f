// A process beside the benchmark that walks through 64 MB without end, as a busy neighbour: it takes time of a processor, its caches and
// what its memory can deliver.
const numbers = new Float64Array(8 * 1024 * 1024).fill(1);
process.on("disconnect", () => process.exit());

/** One pass, then a look at whether the benchmark still runs. */
function pass() {
  numbers.reduce((sum, number) => sum + number);
  setImmediate(pass);
}
pass();
