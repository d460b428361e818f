/**
 * One seed for all property tests of fast-check, so that every run of the tests is the same. `RANDOM_SEED=7 npm test -- FILE`
 * draws other cases; `npm run fuzz` draws many more.
 */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.RANDOM_SEED ?? 1) });
