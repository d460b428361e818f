/** The build functions of all labs, for the worker of the page. */
import { build as training } from "./training/build.js";
import { transformerBuilds } from "./transformer-builds.js";

export const wholeBuilds = { ...transformerBuilds, training };
