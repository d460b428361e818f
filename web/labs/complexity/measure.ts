/** The time of each layer in this browser: a call is repeated until a clock can tell, and the middle of several such samples is kept. */
import { countedLengths, layerIds, layers, type LayerId, type Stock } from "./layers.js";

/** Milliseconds of one sample and of all together, and how many samples of a layer. */
const least = 3;
const all = 1500;
const most = 5;

/** From when to when, and how often the layer was computed between. */
interface Sample {
  begun: number;
  ended: number;
  calls: number;
}

function sampleOf(stock: Stock, layer: LayerId, length: number, enough: number): Sample {
  using graph = stock.core.graph();
  const ready = layers[layer](stock, graph, length);
  const begun = performance.now();
  let ended: number;
  let calls = 0;
  do {
    ready();
    calls += 1;
    ended = performance.now();
  } while (ended - begun < enough);
  return { begun, ended, calls };
}

const each = ({ begun, ended, calls }: Sample): number => (ended - begun) / calls;

/** The sample of middle length. */
function middle(samples: readonly Sample[]): Sample {
  const sorted = [...samples].sort((a, b) => each(a) - each(b));
  return sorted[(sorted.length - 1) >> 1]!;
}

/** Layer by layer and length by length, row-major: when the middle sample began and ended, and its calls. */
export interface Times {
  shape: [number, number];
  begun: Float64Array;
  ended: Float64Array;
  calls: Float64Array;
}

/** Round after round, each with a sample of every layer at every length, until there are enough or the time is used up. */
export function measure(stock: Stock): Times {
  const lengths = countedLengths(stock.numbers.length);
  const places = layerIds.flatMap((layer) => lengths.map((length) => ({ layer, length })));
  const samples: Sample[][] = places.map(() => []);
  const start = performance.now();
  const late = () => performance.now() - start > all;
  for (let round = 0; round < most && !late(); round += 1) {
    for (const [at, { layer, length }] of places.entries()) {
      if (round > 0 && late()) break;
      samples[at]!.push(sampleOf(stock, layer, length, late() ? 0 : least));
    }
  }
  const kept = samples.map(middle);
  return {
    shape: [layerIds.length, lengths.length],
    begun: Float64Array.from(kept, ({ begun }) => begun),
    ended: Float64Array.from(kept, ({ ended }) => ended),
    calls: Float64Array.from(kept, ({ calls }) => calls),
  };
}
