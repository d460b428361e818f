// Starts other programs.

import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { SetupError } from "./progress.mjs";

/** The path of a program on PATH, or null. */
export function onPath(name, path = process.env.PATH ?? "") {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // not in this folder
    }
  }
  return null;
}

/** The standard output of a short command, or null where it fails or does not exist. */
export function ask(program, args = [], options = {}) {
  const result = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28, ...options });
  return result.status === 0 ? result.stdout : null;
}

/**
 * Runs a program to its end and returns its standard output. The output is collected, passed line by line to `onLine`,
 * and shown only when it fails.
 */
export function run(program, args, { onLine, env, cwd, input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, NO_COLOR: "1", ...env },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    const out = [];
    const all = [];
    const follow = (stream, keep) => {
      let rest = "";
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        all.push(text);
        if (keep) out.push(text);
        if (!onLine) return;
        const lines = (rest + text).split(/\r?\n|\r/);
        rest = lines.pop();
        for (const line of lines) onLine(line);
      });
    };
    follow(child.stdout, true);
    follow(child.stderr, false);
    if (input !== undefined) child.stdin.end(input);
    child.on("error", (error) => reject(new SetupError(`${program} could not be started: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(out.join(""));
      const lines = all.join("").trimEnd().split("\n");
      const shown = lines.length > 120 ? ["...", ...lines.slice(-120)] : lines;
      const how = signal ? `was ended by ${signal}` : `exited with ${code}`;
      reject(new SetupError(`${[program, ...args].join(" ").slice(0, 400)} ${how}:\n${shown.join("\n")}`));
    });
  });
}

/** Runs a program with our own standard streams and returns its exit code. */
export function show(program, args, { env, cwd, stdout = "inherit" } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["inherit", stdout, "inherit"],
    });
    child.on("error", (error) => reject(new SetupError(`${program} could not be started: ${error.message}`)));
    child.on("close", (code) => resolve(code ?? 1));
  });
}

export const isRoot = process.getuid?.() === 0;
