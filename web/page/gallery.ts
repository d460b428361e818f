/**
 * The examples of the contents, computed one after another in a session of their own, so that thumbnails and
 * matches show real results.
 */
import type { Thumbnail } from "../elements/thumbnail.js";
import { countMatches, examples, type Printed } from "../examples/index.js";
import { loadLab } from "../labs/index.js";
import type { Config, ConfigOf } from "../config/config.js";
import type { Language, Words } from "../i18n/words.js";
import { planeOf } from "../marks/plane.js";
import type { Curve, PlacedTensor, Scene, Snapshots } from "../marks/scene.js";
import { valueAt } from "./cells.js";
import type { Client, StartClient } from "./client.js";
import { exampleIn } from "./in-language.js";
import type { ExampleEntry } from "./map/contents.js";
import { labOf, sceneFor } from "./open-lab.js";
import { openingOf } from "./openings.js";

type Result = NonNullable<ExampleEntry["result"]>;

/** The number of pictures of one example. */
const most = 3;

/** The lines of the first chart of a scene whose points are cells. */
function firstChart(scene: Scene): Thumbnail[] {
  const chartOf = ({ id }: Curve) => id.slice(0, id.lastIndexOf("-"));
  const curves = scene.curves.filter(({ cells, points }) => cells && points.length > 1);
  const first = curves[0];
  if (!first) return [];
  return [{ kind: "lines", lines: curves.filter((curve) => chartOf(curve) === chartOf(first)) }];
}

/**
 * The pictures of an example: the weight matrices of its scene, after the tensor of its opening cell if there
 * is room; else that tensor, its image, a chart, or the first matrix.
 */
function pictures(scene: Scene, opening: string, snapshots: Snapshots): Thumbnail[] {
  const weights = scene.tensors.filter((placed) => placed.fill === "probability");
  const openingTensor = scene.tensors.find(
    (placed) => placed.node === opening && placed.fill !== "probability",
  );
  const shown = [...(openingTensor ? [openingTensor] : []), ...weights].slice(0, most);
  const matrix = (placed: PlacedTensor): Thumbnail[] => {
    const snapshot = snapshots.get(placed.node);
    const plane = snapshot && planeOf(placed, snapshot.shape);
    return snapshot && plane && plane.rows > 1 && placed.fill !== "none"
      ? [{ kind: "matrix", plane, data: snapshot.data, fill: placed.fill }]
      : [];
  };
  const image = scene.images[0] && snapshots.get(scene.images[0].node);
  const square: Thumbnail[] = image?.shape[1]
    ? [{ kind: "image", data: image.data, size: image.shape[1] }]
    : [];
  const filled = [...square, ...shown.flatMap(matrix)].slice(0, most);
  if (filled.length > 0) return filled;
  const chart = firstChart(scene);
  return chart.length > 0 ? chart : scene.tensors.flatMap(matrix).slice(0, 1);
}

/** The example that the map of the model is drawn from: a trained translation. */
export const modelOf = (language: Language): ConfigOf<"encoder-decoder"> =>
  openingOf("encoder-decoder", language) as ConfigOf<"encoder-decoder">;

export class Gallery {
  /** Results by Config, because some examples have words of their own in each language. */
  readonly results = new Map<Config, Result>();
  /** The numbers of the model of the map. Empty until they are computed. */
  model: Snapshots = new Map();
  readonly #startClient: StartClient;
  readonly #onChange: () => void;
  #client: Client | null = null;
  #words: Words | null = null;

  constructor(startClient: StartClient, onChange: () => void) {
    this.#startClient = startClient;
    this.#onChange = onChange;
  }

  /** Computes the missing results for a language, then closes the session. */
  async compute(words: Words): Promise<void> {
    this.#words = words;
    if (this.#client || !this.#missing()) return;
    // An example that is not answered in time is given to one more worker, and then reported as not computed.
    const client: Client = this.#startClient(
      () => undefined,
      (silent) => silent && client.restart(),
    );
    this.#client = client;
    for (let next = this.#missing(); next; next = this.#missing()) {
      const { config, printed } = next;
      try {
        this.results.set(config, await this.#compute(client, config, printed, this.#words));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.results.set(config, { thumbnails: [], matched: 0, total: 0, error: reason });
      }
      if (this.#client !== client) return;
      this.#onChange();
    }
    this.close();
  }

  /** The first example without a result, in the language requested last. The model of the map comes before all others. */
  #missing(): { config: Config; printed: readonly Printed[] } | undefined {
    const { language } = this.#words!;
    const missing = examples
      .map(({ id, printed }) => ({ config: exampleIn(id, language)!, printed }))
      .filter(({ config }) => !this.results.has(config));
    return missing.find(({ config }) => config === modelOf(language)) ?? missing[0];
  }

  close(): void {
    this.#client?.close();
    this.#client = null;
  }

  async #compute(client: Client, config: Config, printed: readonly Printed[], words: Words): Promise<Result> {
    const [{ snapshots, error }] = await Promise.all([client.compute(config), loadLab(config.view.lab)]);
    if (error !== undefined) return { thumbnails: [], matched: 0, total: 0, error };
    const snapshotsByName = new Map(snapshots.map((snapshot) => [snapshot.name, snapshot]));
    if (config === modelOf(words.language)) this.model = snapshotsByName;
    const lab = labOf(config);
    const cell = lab.opening(config, snapshotsByName);
    const scene = sceneFor(config, snapshotsByName, {
      width: 1232,
      height: 600,
      layout: "wide",
      step: 0,
      cell,
      words,
    });
    const matched = countMatches(printed, (node, index) => valueAt(snapshotsByName.get(node), index));
    return {
      thumbnails: pictures(scene, cell.node, snapshotsByName),
      matched,
      total: printed.length,
      error: "",
    };
  }
}
