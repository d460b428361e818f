// npm run --silent train -- PRESET [--seed N] [--seconds S]: trains a preset in wasm under Node. It prints a line of JSON per hundred steps,
// and one at the end. It stops when every held-out answer is right, after the steps of the preset, or after S seconds (absent: 240).

import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildLibrary } from "./build.mjs";
import { project } from "./env.mjs";
import { main, SetupError } from "./progress.mjs";

const usage = "npm run --silent train -- PRESET [--seed N] [--seconds S]";

/** A number of the command line. */
function number(name, text, fits, expected) {
  const value = Number(text);
  if (text.trim() === "" || !fits(value)) throw new SetupError(`--${name} is ${text}, expected ${expected}`);
  return value;
}

const isSeed = (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32;
const isTime = (value) => value > 0 && value < Infinity;

/** The words of the command line. Which presets there are, only the built core knows. */
function read() {
  let given;
  try {
    given = parseArgs({
      allowPositionals: true,
      options: {
        seed: { type: "string", default: "0" },
        seconds: { type: "string", default: "240" },
      },
    });
  } catch (error) {
    throw new SetupError(`${error.message}\nusage: ${usage}`);
  }
  const { positionals, values } = given;
  if (positionals.length > 1) throw new SetupError(`usage: ${usage}`);
  return {
    preset: positionals[0],
    seed: number("seed", values.seed, isSeed, "a whole number from 0 to 4294967295"),
    seconds: number("seconds", values.seconds, isTime, "a number above 0"),
  };
}

const print = (record) => console.log(JSON.stringify(record));
const rounded = (value) => Number(value.toPrecision(6));

await main(async () => {
  const { preset, seed, seconds } = read();
  await buildLibrary();
  const { load } = await import(pathToFileURL(join(project, "dist/core/index.js")).href);
  const core = await load();
  const presets = core.trainingPresets();
  if (!presets.includes(preset))
    throw new SetupError(`usage: ${usage}\nPRESET is one of ${presets.join(", ")}`);
  const trainer = core.trainer({ preset, seed, task: { seed } });
  const { unigramLoss } = core.task(trainer.options["task.name"], { seed });
  const started = performance.now();
  const spent = () => rounded((performance.now() - started) / 1000);
  const { step, heldOut } = await trainer.train({
    seconds,
    steps: Number(trainer.options.steps) || undefined,
    accuracy: 1,
    onProgress: ({ step, loss, lr, gradientNorm, heldOut }) =>
      print({
        step,
        seconds: spent(),
        loss: rounded(loss),
        lr: rounded(lr),
        gradientNorm: rounded(gradientNorm),
        heldOut,
      }),
  });
  const baseline = unigramLoss === undefined ? {} : { unigramLoss: rounded(unigramLoss) };
  const { loss, accuracy } = heldOut;
  print({ preset, seed, steps: step, seconds: spent(), loss: rounded(loss), accuracy, ...baseline });
});
