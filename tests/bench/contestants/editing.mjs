// Times the edits of the gallery's examples in the labs, computed by our core.
import { editingTimes } from "../../../web/bench/editing.ts";

export async function editing({ site }) {
  const { load } = await import(/* @vite-ignore */ `${site}core/index.js`);
  return editingTimes(await load());
}
