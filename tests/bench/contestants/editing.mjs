// The labs with our core, for the edits of the gallery's examples.
import { editingTimes } from "../../../web/bench/editing.ts";

export async function editing({ site }) {
  const { load } = await import(/* @vite-ignore */ `${site}core/index.js`);
  return editingTimes(await load());
}
