/**
 * The numbers on the page against the reference file: to the last digit in the note's copy, rounded in the
 * grid.
 */
import { cell, copied, expect, openPage, test } from "./open.js";
import { reference } from "./reference.js";

/** The number in a cell's accessible name. */
const numberIn = (name: string | null): number => Number(name!.split(": ").at(-1)!.replaceAll("\u2212", "-"));

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

for (const [hash, name, exact, count] of [
  ["#v=1&ex=ten-by-twenty-run-1", "numpy_mha_run1", "output_0_0_first10", 10],
  ["#v=1&ex=four-words", "four_words", "attention", 3],
] as const) {
  test(`${hash}: the first outputs are the printed ones`, async ({ page }) => {
    await openPage(page, hash);
    const { expected, near } = reference(name);
    const rounded = exact === "attention" ? "printed_attention" : "printed_output";
    for (let column = 0; column < count; column++) {
      const { node, index, value } = await copied(page, "output", 0, column);
      expect([node, index.at(-2), index.at(-1)]).toEqual(["output", 0, column]);
      for (const key of [exact, rounded]) {
        const { got, wanted, allowed } = near(key, column, value);
        expect(Math.abs(got - wanted), `${key}[${column}]: ${got}, ${wanted}`).toBeLessThanOrEqual(allowed);
      }
      expect(value.toFixed(8)).toBe(expected[rounded]!.data[column]!.toFixed(8));
      const shown = numberIn(await cell(page, "output", 0, column).getAttribute("aria-label"));
      expect(Math.abs(shown - value)).toBeLessThanOrEqual(5.1e-3 * Math.abs(value));
    }
  });
}
