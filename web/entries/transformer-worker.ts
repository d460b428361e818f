/**
 * The worker of the whole core, started when a lab or a request first needs it. Built as one classic script.
 */
import { load } from "../core/transformer/part.js";
import { transformerCalls } from "../session/calls.js";
import { serve } from "../session/worker/session-worker.js";
import { checkpointCalls } from "../labs/training/checkpoint.js";
import { wholeBuilds } from "../labs/whole-builds.js";
import { TrainingSession } from "../session/worker/training-session.js";

serve(load, (core) => ({
  ...transformerCalls(new TrainingSession(core, wholeBuilds)),
  ...checkpointCalls(core),
}));
