// A process that runs beside the benchmark and keeps reading 64 MB, like a busy neighbour: it takes processor time, caches and
// memory bandwidth.
const numbers = new Float64Array(8 * 1024 * 1024).fill(1);
process.on("disconnect", () => process.exit());

/** One pass over the memory. Between two passes the process can notice that the benchmark has ended. */
function pass() {
  numbers.reduce((sum, number) => sum + number);
  setImmediate(pass);
}
pass();
