/** The worker of the attention part. Built as one classic script. */
import { load } from "../core/attention-part.js";
import { builds } from "../labs/builds.js";
import { sessionCalls } from "../session/calls.js";
import { Session } from "../session/worker/session.js";
import { serve } from "../session/worker/session-worker.js";

serve(load, (core) => sessionCalls(new Session(core, builds)));
