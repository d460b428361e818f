/**
 * A frame in WordPress, which takes frames from oEmbed: it names each by a secret in its address, asks it whether it is ready and shows
 * it as high as it says, between 200 and 1000 pixels.
 */
import { secretOf } from "../../config/secret.js";

/** Answers the page around; what it gives back tells that page another height. Without a secret nobody is told. */
export function answeringWordPress(hash: string): (height: number) => void {
  const secret = secretOf(hash);
  if (secret === null || parent === window) return () => undefined;
  let last = 0;
  const tell = (): void => {
    if (last > 0) parent.postMessage({ message: "height", value: last, secret }, "*");
  };
  // Its script may begin to listen after the first height was told.
  addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    const asked = data as { message?: unknown; secret?: unknown } | null;
    if (source === parent && asked?.message === "ready" && asked.secret === secret) tell();
  });
  return (height) => {
    last = height;
    tell();
  };
}
