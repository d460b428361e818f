/**
 * A post on another origin than the playground: one page with a body that a test sets, and files beside it.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface File {
  type: string;
  body: string | Buffer;
}

export interface Post {
  readonly address: string;
  /** Sets the content of the page. */
  body: string;
  /** Files beside the page, by name. */
  readonly files: Map<string, File>;
  stop(): void;
}

export async function startPost(): Promise<Post> {
  const files = new Map<string, File>();
  const server = createServer((request, response) => {
    const file = files.get(request.url!.slice(1));
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>A post</title><body>${post.body}</body></html>`;
    response
      .writeHead(200, { "Content-Type": file?.type ?? "text/html; charset=utf-8" })
      .end(file?.body ?? page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const post: Post = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    body: "",
    files,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return post;
}
