/** The time of each layer in this browser: a call is repeated until the clock can measure it, and the median of several such samples counts. */
import { countedLengths, layerIds, layers, type LayerId, type LayerInputs } from "./layers.js";

/** The least milliseconds of one sample, the most of all samples together, and the most samples of a layer. */
const least = 3;
const all = 1500;
const most = 5;

/** The times at which a sample began and ended, and the calls between them. */
interface Sample {
  begun: number;
  ended: number;
  calls: number;
}

function sampleOf(inputs: LayerInputs, layer: LayerId, length: number, leastTime: number): Sample {
  using graph = inputs.core.graph();
  const run = layers[layer](inputs, graph, length);
  const begun = performance.now();
  let ended: number;
  let calls = 0;
  do {
    run();
    calls += 1;
    ended = performance.now();
  } while (ended - begun < leastTime);
  return { begun, ended, calls };
}

const each = ({ begun, ended, calls }: Sample): number => (ended - begun) / calls;

/** The median sample. */
function middle(samples: readonly Sample[]): Sample {
  const sorted = [...samples].sort((a, b) => each(a) - each(b));
  return sorted[(sorted.length - 1) >> 1]!;
}

/** The median samples of every layer (rows) at every length (columns), row-major. */
export interface Times {
  shape: [number, number];
  begun: Float64Array;
  ended: Float64Array;
  calls: Float64Array;
}

/** Measures in rounds, each with a sample of every layer at every length, until there are enough or the time is used up. */
export function measure(inputs: LayerInputs): Times {
  const lengths = countedLengths(inputs.numbers.length);
  const places = layerIds.flatMap((layer) => lengths.map((length) => ({ layer, length })));
  const samples: Sample[][] = places.map(() => []);
  const start = performance.now();
  const isLate = () => performance.now() - start > all;
  for (let round = 0; round < most && !isLate(); round += 1) {
    for (const [at, { layer, length }] of places.entries()) {
      if (round > 0 && isLate()) break;
      samples[at]!.push(sampleOf(inputs, layer, length, isLate() ? 0 : least));
    }
  }
  const medians = samples.map(middle);
  return {
    shape: [layerIds.length, lengths.length],
    begun: Float64Array.from(medians, ({ begun }) => begun),
    ended: Float64Array.from(medians, ({ ended }) => ended),
    calls: Float64Array.from(medians, ({ calls }) => calls),
  };
}
