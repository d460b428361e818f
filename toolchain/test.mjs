// npm test: sets up, runs every step, and ends with one line `N passed, N failed`, which also names the steps that could not be run
// on this machine. Failures come first in the summary.
// `npm test -- WORDS` runs the steps whose name contains the words; `npm test -- tests/FOLDER/FILE` the tests of one file, in C++
// natively unless a word names another build (`npm test -- tests/cpp/replay_test.cpp wasm`); `npm test -- pictures` compares only the stored
// pictures of the page, and `npm test -- pictures --update` draws them again.

import { main } from "./progress.mjs";
import { runAndReport } from "./steps.mjs";
import { chosenSteps } from "./tests.mjs";

await main(() => runAndReport(chosenSteps(process.argv.slice(2))));
