// npm run check: formatting, lint, types, clang-tidy. All of them run, so that one run shows every problem. `--fix` fixes what it can.

import { checks } from "./checks.mjs";
import { main } from "./progress.mjs";
import { runAndReport } from "./steps.mjs";

await main(() => runAndReport(checks(process.argv.includes("--fix"))));
