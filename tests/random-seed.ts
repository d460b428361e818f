/**
 * One seed for every property of fast-check, so that a run of the tests is the same every time. `RANDOM_SEED=7 npm test -- FILE`
 * draws other cases; `npm run fuzz` draws many more.
 */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.RANDOM_SEED ?? 1) });
