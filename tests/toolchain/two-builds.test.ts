// Comparing the output of two builds of a program: every line counts, and so does an early end.
import { expect, test } from "vitest";
import { differenceOf } from "../../toolchain/two-builds.mjs";

const script = (code: string): string[] => [process.execPath, "-e", code];
const prints = (text: string): string[] => script(`process.stdout.write(${JSON.stringify(text)})`);
const difference = (natively: string[], wasm: string[]) => differenceOf({ natively, "as wasm": wasm });

test("equal lines are no difference", async () => {
  expect(await difference(prints("a\nb\n"), prints("a\nb\n"))).toBeNull();
});

test("the first different line is reported, also if one build has more lines", async () => {
  expect(await difference(prints("a\nb\nc"), prints("a\nx\ny"))).toContain("  natively: b\n");
  const more = await difference(prints("a"), prints("a\nb"));
  expect(more).toContain("  natively: no more lines\n");
  expect(more).toContain("  as wasm: b\n");
  expect(await difference(prints("a\nb"), prints("a"))).toContain("  as wasm: no more lines\n");
});

test("a build that fails is reported with its command", async () => {
  const crash = script("process.abort()");
  const again = `  again: ${crash.join(" ")}`;
  for (const found of [await difference(crash, prints("a")), await difference(prints("a"), crash)]) {
    expect(found).toContain("was ended by SIGABRT");
    expect(found).toContain(again);
  }
});
