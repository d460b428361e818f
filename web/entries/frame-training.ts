/** The page of the frame that trains. It opens every link before the first step, and trains when its reader presses Play. */
import "../labs/framed-training.js";
import { untrained } from "../labs/training/untrained.js";
import { AttentionPlayground } from "../page/attention-playground.js";
import { showFrame } from "../page/frame/page.js";

AttentionPlayground.opening = { first: "learn-to-reverse", stateOf: untrained };
showFrame();
