/** The worker of the whole core, as one classic script like that of the attention part. */
import { workerScript } from "./vite.script.js";

export default workerScript("transformer-worker");
