/** The worker of frames and elements, as one classic script like that of the attention part. */
import { workerScript } from "./vite.script.js";

export default workerScript("labs-worker");
