/** WebKitGTK's MiniBrowser over the W3C's WebDriver protocol, on its own display: without one its driver never answers. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { asText, given, type Engine } from "./engine.js";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** The time limit of an answer, and that of the first, in milliseconds. */
const TIME_LIMIT = 120_000;
const startPatience = 30_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** A display in memory; it chooses a free number and prints it. */
async function display(): Promise<{ server: ChildProcess; name: string }> {
  const server = spawn(
    given("XVFB"),
    ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
    {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    },
  );
  const lines = createInterface({ input: server.stdio[3] as Readable });
  const number = await Promise.race([
    once(lines, "line").then(([line]) => String(line)),
    once(server, "exit").then(() => ""),
    wait(startPatience, "", { ref: false }),
  ]);
  if (!number) throw new Error("Xvfb does not start");
  return { server, name: `:${number}` };
}

class Driver {
  readonly #address: string;
  #ended: string | null = null;
  /** The last output of the driver and the browser. */
  #said = "";

  constructor(address: string, serving: ChildProcess) {
    this.#address = address;
    serving.stderr?.on("data", (part) => (this.#said = `${this.#said}${part}`.slice(-2000)));
    serving.once("exit", () => (this.#ended ??= "its driver has ended"));
  }

  /** How the session ended unexpectedly, or null: it ends when one of WebKit's processes dies. */
  gone(): string | null {
    return this.#ended && `${this.#ended}\n${this.#said}`.trim();
  }

  async ask(
    method: "GET" | "POST" | "DELETE",
    path: string,
    body?: object,
    limit = TIME_LIMIT,
  ): Promise<unknown> {
    const response = await fetch(`${this.#address}${path}`, {
      method,
      ...(method === "POST" ? { body: JSON.stringify(body ?? {}) } : {}),
      signal: AbortSignal.timeout(limit),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (response.ok) return value;
    const { error, message } = value as { error: string; message: string };
    if (error === "invalid session id") this.#ended ??= message || error;
    throw new Error(`${method} ${path}: ${error}: ${message}`);
  }

  /** Waits until the driver answers. */
  async ready(): Promise<void> {
    const end = Date.now() + startPatience;
    for (;;) {
      try {
        return void (await this.ask("GET", "/status", undefined, startPatience));
      } catch (error) {
        if (Date.now() > end) throw error;
        await wait(50);
      }
    }
  }
}

export async function webkit(): Promise<Engine> {
  const processes: ChildProcess[] = [];
  const end = (): void => processes.forEach((child) => child.kill());
  process.once("exit", end);
  try {
    const { server, name } = await display();
    processes.push(server);
    const port = await freePort();
    const env = { ...process.env, DISPLAY: name, LANG: "C.UTF-8", LANGUAGE: "en_US" };
    const serving = spawn(given("WEBKIT_DRIVER"), [`--port=${port}`], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    processes.push(serving);
    const driver = new Driver(`http://127.0.0.1:${port}`, serving);
    await driver.ready();
    return await session(driver, end);
  } catch (error) {
    end();
    throw error;
  }
}

async function session(driver: Driver, end: () => void): Promise<Engine> {
  const options = { binary: given("WEBKIT_BROWSER"), args: ["--automation"] };
  const wanted = { browserName: "MiniBrowser", "webkitgtk:browserOptions": options };
  const { sessionId, capabilities } = (await driver.ask(
    "POST",
    "/session",
    { capabilities: { alwaysMatch: wanted } },
    startPatience,
  )) as { sessionId: string; capabilities: { browserVersion: string } };
  const at = `/session/${sessionId}`;
  await driver.ask("POST", `${at}/timeouts`, { script: TIME_LIMIT, pageLoad: TIME_LIMIT });
  const run = async (expression: string): Promise<unknown> => {
    const script = `const done = arguments[arguments.length - 1];
      (async () => ${asText(expression)})().then(
        (text) => done({ text }),
        (error) => done({ failed: String(error && error.stack ? error.message + "\\n" + error.stack : error) }));`;
    const answer = (await driver.ask("POST", `${at}/execute/async`, { script, args: [] })) as {
      text: string;
      failed?: string;
    };
    if (answer.failed !== undefined) throw new Error(answer.failed);
    return JSON.parse(answer.text) as unknown;
  };
  return {
    name: "WebKit",
    version: capabilities.browserVersion,
    open: async (url) => void (await driver.ask("POST", `${at}/url`, { url })),
    async evaluate(expression, where = "page") {
      if (where === "page") return run(expression);
      const using = { using: "css selector", value: "iframe" };
      const found = (await driver.ask("POST", `${at}/element`, using)) as Record<string, string>;
      await driver.ask("POST", `${at}/frame`, { id: { [ELEMENT]: found[ELEMENT] } });
      try {
        return await run(expression);
      } finally {
        await driver.ask("POST", `${at}/frame`, { id: null });
      }
    },
    // The console cannot be read from outside: the pages store their messages (site.ts).
    complaints: async () => (await run("window.complaints?.splice(0) ?? []")) as string[],
    gone: () => driver.gone(),
    async close() {
      await driver.ask("DELETE", at).catch(() => undefined);
      end();
    },
  };
}
