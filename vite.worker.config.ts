/** The worker of the attention part. */
import { workerScript } from "./vite.script.js";

export default workerScript("worker");
