// npm test: sets up, runs every step, and ends with one line `N passed, N failed`, which also names the steps that could not be run
// on this machine. What failed stands first in the summary.
// `npm test -- WORDS` runs the steps whose name contains the words; `npm test -- tests/FOLDER/FILE` the tests of one file, those in C++
// natively unless a word tells another build (`npm test -- tests/cpp/replay_test.cpp wasm`); `npm test -- pictures` compares the stored
// pictures of the page alone, and `npm test -- pictures --update` draws them anew.

import { main } from "./progress.mjs";
import { runAndReport } from "./steps.mjs";
import { chosenSteps } from "./tests.mjs";

await main(() => runAndReport(chosenSteps(process.argv.slice(2))));
