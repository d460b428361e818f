// node tests/bench/training-memory.mjs [PRESET [SECONDS]]: trains a preset (absent: reverse) for so many seconds (absent: 600), saves
// and loads a checkpoint every second, and prints the memory of the core and of the process after ten seconds and then every minute.
import { buildLibrary } from "../../toolchain/build.mjs";

await buildLibrary();
const { load } = await import("../../dist/core/index.js");

const [preset = "reverse", seconds = "600"] = process.argv.slice(2);
const core = await load();
const trainer = core.trainer({ preset, seed: 1 });
const started = performance.now();
const spent = () => (performance.now() - started) / 1000;
const megabytes = (bytes) => Number((bytes / 2 ** 20).toFixed(1));

for (let next = 10; next <= Number(seconds); next = next === 10 ? 60 : next + 60) {
  while (spent() < next) {
    await trainer.train({ seconds: 1 });
    trainer.load(trainer.save());
  }
  const { rss } = process.memoryUsage();
  const memory = { core: megabytes(core.memoryBytes), values: core.liveValues, process: megabytes(rss) };
  console.log(JSON.stringify({ seconds: Math.round(spent()), steps: trainer.steps, ...memory }));
}
trainer.delete();
