/** The worker of bench.html, as one classic script like those of the playground. */
import { workerScript } from "./vite.script.js";

export default workerScript("bench-worker");
