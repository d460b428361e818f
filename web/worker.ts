/** The worker of the attention part. Built as one classic script. */
import { load } from "./core/attention-part.js";
import { builds } from "./labs/builds.js";
import { sessionCalls } from "./labs/session-calls.js";
import { Session } from "./labs/session.js";
import { serve } from "./labs/session-worker.js";

serve(load, (core) => sessionCalls(new Session(core, builds)));
