// Compares one program in two builds, which must print the same.

import { run } from "./run.mjs";

/**
 * Runs both, each given as a program and its arguments, by name. Where one fails, or they print different lines, returns what happened and
 * how to run it again; null where they print the same.
 */
export async function differenceOf(builds) {
  const printed = {};
  for (const [name, [program, ...args]] of Object.entries(builds)) {
    try {
      printed[name] = (await run(program, args)).split("\n");
    } catch (error) {
      return `  ${name}: ${error.message}\n  again: ${[program, ...args].join(" ")}`;
    }
  }
  const [first, second] = Object.values(printed);
  for (let at = 0; at < Math.max(first.length, second.length); at++)
    if (first[at] !== second[at])
      return Object.entries(builds)
        .map(
          ([name, command]) =>
            `  ${name}: ${printed[name][at] ?? "no more lines"}\n  again: ${command.join(" ")}`,
        )
        .join("\n");
  return null;
}
