/** For TypeScript with Vue: `<attention-playground>` in templates. In any file: import type {} from "attention-playground/vue". */
import type { AttentionPlaygroundAttributes } from "./attention-playground.js";

declare module "vue" {
  interface GlobalComponents {
    "attention-playground": new () => { $props: AttentionPlaygroundAttributes };
  }
}
