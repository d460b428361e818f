// Runs everything that a change must pass: all checks and all tests, in one summary.

import { checks } from "./checks.mjs";
import { main } from "./progress.mjs";
import { runAndReport } from "./steps.mjs";
import { steps } from "./tests.mjs";

await main(() => runAndReport([...checks(), ...steps]));
