// npm run train: what it prints, and what it refuses.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const train = (...words: string[]) =>
  run(process.execPath, ["toolchain/train.mjs", ...words], { cwd: join(import.meta.dirname, "../..") });

test("a preset prints a line of JSON per report, and one at the end", async () => {
  const { stdout } = await train("masked-token", "--seed", "3", "--seconds", "0.001");
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toHaveLength(2);
  const number = expect.any(Number) as number;
  const heldOut = { loss: number, accuracy: number, examples: number };
  expect(lines[0]).toEqual({
    step: number,
    seconds: number,
    loss: number,
    lr: number,
    gradientNorm: number,
    heldOut,
  });
  expect(lines[1]).toEqual({
    preset: "masked-token",
    seed: 3,
    steps: lines[0]!.step,
    seconds: number,
    loss: number,
    accuracy: number,
    unigramLoss: number,
  });
});

test.each([
  [[], "PRESET is one of copy, reverse, sort"],
  [["swim"], "PRESET is one of copy, reverse, sort"],
  [["copy", "--seed", "x"], "--seed is x, expected a whole number from 0 to 4294967295"],
  [["copy", "--seed", "1.5"], "--seed is 1.5, expected a whole number from 0 to 4294967295"],
  [["copy", "--seconds", "0"], "--seconds is 0, expected a number above 0"],
  [["copy", "--speed", "1"], "usage: npm run --silent train -- PRESET"],
])("%j is refused", async (words, message) => {
  const refused = await train(...words).then(
    () => null,
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused!.stderr).toContain(message);
});
