/** Hosts for a single test, whose site can be replaced by another version or become unreachable; and other versions of the site. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { serviceWorker, siteOf } from "../../toolchain/offline.mjs";
import { answers, listen } from "../../toolchain/serve.mjs";
import { expect } from "./open.js";

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The built site. */
export const siteFolder = (): string => {
  const folder = process.env.SITE_FOLDER;
  if (!folder) throw new Error("SITE_FOLDER is not set: hosts.ts sets it before the tests");
  return folder;
};

interface Sent {
  headers?: Record<string, string>;
  /** Texts that replace files. */
  instead?: Record<string, string>;
}

export interface Host {
  origin: string;
  /** The requested paths, in order. */
  requests: string[];
  /** Serves this folder from now on. */
  serve(under: string, folder: string, sent?: Sent): void;
  /** Breaks every connection from now on. */
  leave(): void;
  /** Answers requests again. */
  comeBack(): void;
  close(): void;
}

export async function openHost(): Promise<Host> {
  const sites = new Map<string, Answer>();
  const requests: string[] = [];
  let there = true;
  const server = (await listen(
    (request: IncomingMessage, response: ServerResponse) => {
      if (!there) return void request.socket.destroy();
      const path = request.url ?? "/";
      requests.push(path);
      if (path === "/beside.html")
        return void response
          .writeHead(200, { "Content-Type": "text/html" })
          .end("<!doctype html><title>x</title>");
      const under = [...sites.keys()].find((start) => path.startsWith(start));
      if (under !== undefined) return void sites.get(under)!(request, response);
      response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
    },
    0,
    "127.0.0.1",
  )) as Server;
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    serve: (under, folder, sent = {}) => void sites.set(under, answers(folder, { under, ...sent })),
    leave() {
      there = false;
      server.closeAllConnections();
    },
    comeBack() {
      there = true;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The service worker contains the digest as a string, in any kind of quotes. */
const replaceAll = (text: string, from: string, to: string): string => {
  if (!text.includes(from)) throw new Error(`the service worker does not name ${from}`);
  return text.replaceAll(from, to);
};

/** The site of another build: files with the same names and other contents. */
export function otherVersion(change: Readonly<Record<string, (text: string) => string>>): string {
  const site = siteFolder();
  const folder = mkdtempSync(join(dirname(site), "browser-site-"));
  cpSync(site, folder, { recursive: true });
  for (const [file, changed] of Object.entries(change)) {
    const path = join(folder, file);
    writeFileSync(path, changed(readFileSync(path, "utf8")));
  }
  const [before, after] = [siteOf(site), siteOf(folder)];
  const script = join(folder, serviceWorker);
  let text = readFileSync(script, "utf8");
  // The site that is served may have files beside those of the build, so its version is read from the script.
  text = replaceAll(text, versionOf(site), after.version);
  const digests: Record<string, string> = after.files;
  for (const [file, digest] of Object.entries<string>(before.files))
    if (digests[file] !== digest) text = replaceAll(text, digest, digests[file]!);
  writeFileSync(script, text);
  return folder;
}

export const removeVersion = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** The version of the site in a folder: the one digest of 64 figures in its service worker. */
export function versionOf(folder: string): string {
  const found = readFileSync(join(folder, serviceWorker), "utf8").match(/\b[0-9a-f]{64}\b/g);
  if (found?.length !== 1) throw new Error("the service worker names no version, or several");
  return found[0];
}

/** Waits until the service worker answers for the page. */
export const controlled = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state ?? null), { timeout: 30_000 })
    .toBe("activated");

/** The stored versions of the site below a path. */
export const keptVersions = (page: Page, under: string): Promise<string[]> =>
  page.evaluate(async (start) => {
    const names = await caches.keys();
    return names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
  }, `attention-playground ${under} `);
