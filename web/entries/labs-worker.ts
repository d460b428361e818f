/**
 * The worker of frames and elements: every lab, with the part of the core that is built for them. Built as
 * one classic script.
 */
import { loadLabs } from "../core/labs-part.js";
import { frameCalls } from "../session/calls.js";
import { serve } from "../session/worker/session-worker.js";
import { transformerBuilds } from "../labs/transformer-builds.js";
import { TransformerSession } from "../session/worker/transformer-session.js";

serve(loadLabs, (core) => frameCalls(new TransformerSession(core, transformerBuilds)));
