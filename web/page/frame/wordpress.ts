/**
 * A frame in WordPress, which embeds frames by oEmbed: it puts a secret into the address of each frame, sends
 * it a "ready" message, and gives it the height that it reports, between 200 and 1000 pixels.
 */
import { wordPressSecretOf } from "../../config/secret.js";

/** Answers the embedding page. Returns a function that reports a height to that page; it does nothing if the address has no secret. */
export function wordPressReporter(hash: string): (height: number) => void {
  const secret = wordPressSecretOf(hash);
  if (secret === null || parent === window) return () => undefined;
  let last = 0;
  const report = (): void => {
    if (last > 0) parent.postMessage({ message: "height", value: last, secret }, "*");
  };
  // The script of the page around may begin to listen after the first height was reported.
  addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    const message = data as { message?: unknown; secret?: unknown } | null;
    if (source === parent && message?.message === "ready" && message.secret === secret) report();
  });
  return (height) => {
    last = height;
    report();
  };
}
