// Prints what is being done, how far it is and how long it took. Everything goes to standard error, so that a
// command whose report is on standard output (`npm run golden`) prints nothing else there.

const started = Date.now();
const terminal = process.stderr.isTTY === true;
const heartbeatMs = 15_000;

export function elapsed(since = started) {
  const seconds = (Date.now() - since) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.round(seconds % 60)).padStart(2, "0")} s`;
}

export function say(line) {
  process.stderr.write(`${terminal ? "\r\x1b[K" : ""}${line}\n`);
}

/** An expected failure: its message is printed without a stack. */
export class SetupError extends Error {}

/**
 * Runs one named step. `work` gets `update(text)`: on a terminal the text stays on one line; elsewhere it is
 * printed now and then, so that a log shows progress without growing long.
 */
export async function step(name, work) {
  const since = Date.now();
  let detail = "";
  let printed = 0;
  const draw = () => {
    if (terminal) process.stderr.write(`\r\x1b[K  ${name}  ${detail}  ${elapsed(since)}`.slice(0, 118));
    else if (Date.now() - Math.max(printed, since) >= heartbeatMs) {
      printed = Date.now();
      process.stderr.write(`  ... ${name} ${detail} (${elapsed(since)})\n`);
    }
  };
  say(`> ${name}`);
  const timer = setInterval(draw, terminal ? 250 : 1000);
  try {
    const result = await work((text) => {
      detail = text;
      if (terminal) draw();
    });
    say(`  done: ${name} (${elapsed(since)})`);
    return result;
  } catch (error) {
    say(`  failed: ${name} (${elapsed(since)})`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** The frame of every command: a SetupError is printed as a message, any other error with its stack. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    say("");
    say(error instanceof SetupError ? `error: ${error.message}` : String(error?.stack ?? error));
    process.exitCode = 1;
  }
}
