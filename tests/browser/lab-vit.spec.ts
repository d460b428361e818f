/** The ViT lab with an encoder: the weights of CLS and the rollout, compared with other operations of the core and plain arithmetic. */
import { load } from "../../web/core/index.js";
import { numbersOf } from "./drawn-numbers.js";
import {
  boardCell,
  expect,
  hosts,
  openPage,
  waitUntilIdle,
  still,
  test,
  valueAt,
  readLesson,
} from "./open.js";
import { violationsInBothThemes } from "./axe.js";

const [dim, heads, layers, rows, seed] = [16, 4, 2, 65, 0];

/** Softmax weights of every head (heads, rows, rows), from the rows that a layer reads. */
function weightsOf(read: ArrayLike<number>, inProj: ArrayLike<number>): number[][][] {
  const width = dim / heads;
  const projected = (row: number, out: number): number => {
    let sum = 0;
    for (let k = 0; k < dim; k += 1) sum += read[row * dim + k]! * inProj[out * dim + k]!;
    return sum;
  };
  return Array.from({ length: heads }, (_, head) => {
    const of = (part: number) =>
      Array.from({ length: rows }, (_row, row) =>
        Array.from({ length: width }, (_column, column) =>
          projected(row, part * dim + head * width + column),
        ),
      );
    const [queries, keys] = [of(0), of(1)];
    return queries.map((query) => {
      const exps = keys.map((key) =>
        Math.exp(query.reduce((sum, q, at) => sum + q * key[at]!, 0) / Math.sqrt(width)),
      );
      const total = exps.reduce((sum, e) => sum + e, 0);
      return exps.map((e) => e / total);
    });
  });
}

/** The last layer's weights and the rollout, from the rows that the encoder reads. Each layer is computed unobserved, with fused attention. */
async function expected(sequence: number[]): Promise<{ lastWeights: number[][][]; rollout: number[][] }> {
  const core = await load({ build: "simd" });
  const parameters = core.parameters();
  // The parameters are drawn like those of a whole ViT.
  parameters.draw(
    "visionTransformer",
    { dModel: dim, dFf: 64, numLayers: layers, imageSize: [64, 64], patchSize: 8, numClasses: 1 },
    seed,
  );
  const state = parameters.stateDict();
  let x = { shape: [rows, dim], data: Float64Array.from(sequence) };
  let rollout = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: rows }, (_j, j) => Number(i === j)),
  );
  let lastWeights: number[][][] = [];
  for (let layer = 0; layer < layers; layer += 1) {
    const graph = core.graph();
    const prefix = `layers.${layer}.`;
    const own = Object.fromEntries(
      Object.entries(state).flatMap(([name, tensor]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), tensor]] : [],
      ),
    );
    const given = graph.leaf("x", x);
    const read = graph.value(graph.layerNorm(given, own["norm1.weight"]!, own["norm1.bias"]!, { eps: 1e-6 }))
      .data as Float64Array;
    lastWeights = weightsOf(read, own["self_attn.in_proj_weight"]!.data as Float64Array);
    const { output } = graph.encoderLayer(given, own, {
      numHeads: heads,
      activation: "gelu",
      normFirst: true,
      eps: 1e-6,
    });
    x = { shape: [rows, dim], data: graph.value(output).data as Float64Array<ArrayBuffer> };
    const half = rollout.map((_, i) =>
      rollout.map(
        (_j, j) => (lastWeights.reduce((sum, head) => sum + head[i]![j]!, 0) / heads + Number(i === j)) / 2,
      ),
    );
    const before = rollout;
    rollout = half.map((row) => row.map((_, j) => row.reduce((sum, a, k) => sum + a * before[k]![j]!, 0)));
    graph.delete();
  }
  parameters.delete();
  return { lastWeights, rollout };
}

test("CLS’s weights of every head, and its rollout, are those of plain arithmetic on the sequence", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=harbour-encoder");
  await still(page, "vit");
  await readLesson(page);
  const { lastWeights, rollout } = await expected(await numbersOf(page, "sequence"));
  for (const [head, column] of [
    [0, 57],
    [1, 0],
    [2, 8],
    [3, 64],
  ] as const) {
    const got = await valueAt(boardCell(page, `cls_weights-row-${head}`, 0, column), `head ${head}`);
    expect(got).toBeCloseTo(lastWeights[head]![0]![column]!, 12);
  }
  for (const column of [0, 1, 33, 64]) {
    const got = await valueAt(boardCell(page, "cls_rollout-row-0", 0, column), `rollout ${column}`);
    expect(got).toBeCloseTo(rollout[0]![column]!, 12);
  }
  await expect(
    page.locator('ap-lesson [data-concept="rolled-out"]').getByRole("img", { name: "Done" }),
  ).toBeAttached();
});

test("layers add a class token, and without layers it is removed", async ({ page }) => {
  await openPage(page, "#v=1&ex=harbour-encoder");
  await still(page, "vit");
  await page.getByRole("button", { name: /^Encoder layers/ }).click();
  await page.getByRole("radio", { name: "3 encoder layers" }).click();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/layers=3/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("3 layers");
  await page.getByRole("button", { name: /^Class token/ }).click();
  await page.getByRole("radio", { name: "nothing added" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("64 words");
});

test("a clicked patch shows where it looks most, by lines and by visible colours", async ({ page }) => {
  await openPage(page, "#v=1&ex=harbour");
  await still(page, "vit");
  const weights = await numbersOf(page, "weights");
  for (const patch of [19, 42]) {
    await boardCell(page, "image", Math.floor(patch / 8), patch % 8).click();
    const row = weights.slice(patch * 64, patch * 64 + 64);
    const most = row.indexOf(Math.max(...row));
    await expect(page.locator("ap-note h2")).toHaveText(`weights[${patch}, ${most}]`);
    await waitUntilIdle(page);
    const goal = (await boardCell(page, "weights-row", 0, most).boundingBox())!;
    const leaders = page.locator("ap-stage path.leader");
    await expect(leaders).toHaveCount(1);
    const line = (await leaders.boundingBox())!;
    expect(line.x).toBeGreaterThan(goal.x);
    expect(line.x + line.width).toBeLessThan(goal.x + goal.width);
    expect(line.y + line.height).toBeLessThanOrEqual(goal.y);
    // The scale of the weights ends at the largest of this row, not at 1.
    const scale = page.locator("ap-stage .legend", { hasText: "rows sum to 1" });
    await expect(scale).toContainText(Math.max(...row).toFixed(3));
  }
});

test("axe finds nothing in either theme", async ({ page }) => {
  await openPage(page, "#v=1&ex=harbour-encoder");
  await still(page, "vit");
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("every stop fits", async ({ page }) => {
    await page.goto(`${hosts.page}#v=1&ex=harbour-encoder`);
    await still(page, "vit");
    // From the weights of CLS back to the first stop.
    for (let stop = 6; stop >= 0; stop -= 1) {
      expect(await page.evaluate(() => document.documentElement.scrollWidth), String(stop)).toBe(390);
      if (stop === 0) break;
      await page.keyboard.press("[");
      await expect(page.locator("ap-stage [role=gridcell]").first()).toBeAttached();
    }
  });
});
