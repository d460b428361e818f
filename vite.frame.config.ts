/** The page's code of a frame, which vite.embed.config.ts packs into embed.html. */
import { classicScript, pagePlugins } from "./vite.script.js";

export default classicScript("frame", { outDir: "../build/page", plugins: pagePlugins() });
