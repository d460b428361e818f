/**
 * Runs as files: the core's checkpoint, with the link of the state that it was saved from and what the run has recorded. PyTorch, NumPy and
 * other readers of .safetensors take such a file as it is.
 */
import type { Config } from "../../config/config.js";
import type { TrainingNumbers } from "../../config/labs/training.js";
import type { TransformerCore } from "../../core/transformer/core.js";
import { LINK_NAME } from "../../files/saved-link.js";
import { readMetadata, withMetadata } from "../../files/safetensors-metadata.js";
import { isRunRecord, keepRun, keptRuns, Run, trainingCore } from "./runs.js";

/** The name of the record in the metadata of the file. */
const RECORD_NAME = "attention-playground.record";

function numbersOf({ view, numbers }: Config): TrainingNumbers {
  if (view.lab !== "training") throw new Error(`checkpoint: lab is "${view.lab}", expected "training"`);
  return numbers as TrainingNumbers;
}

/** The record in a text. Throws Error for another text. */
function recordIn(text: string) {
  let record: unknown = null;
  try {
    record = JSON.parse(text);
  } catch {
    // Refused below.
  }
  if (!isRunRecord(record))
    throw new Error(
      `file: ${RECORD_NAME} is no record of a run; expected losses, norms and evaluations of equal numbers of steps`,
    );
  return record;
}

/** The calls about files of a worker that trains. */
export function checkpointCalls(given: TransformerCore) {
  const core = trainingCore(given);
  return {
    /** The run of a Config, as far as it has come, as a .safetensors file that carries `link`. */
    checkpoint(config: Config, link: string): Uint8Array {
      const [run] = keptRuns(core, numbersOf(config)) as [Run];
      const file = run.trainer.save();
      return withMetadata(file, {
        ...readMetadata(file),
        [LINK_NAME]: link,
        [RECORD_NAME]: JSON.stringify(run.record),
      });
    },
    /** The run of a Config goes on from such a file. Throws Error, and changes nothing, for a file of another run. */
    openCheckpoint(config: Config, file: Uint8Array): void {
      const { [LINK_NAME]: _link, [RECORD_NAME]: record = "", ...texts } = readMetadata(file) ?? {};
      const numbers = numbersOf(config);
      const run = new Run(core, numbers);
      try {
        run.resume(withMetadata(file, texts), recordIn(record));
      } catch (error) {
        run.trainer.delete();
        throw error;
      }
      keepRun(core, numbers, run);
    },
  };
}
