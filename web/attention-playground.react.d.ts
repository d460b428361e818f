/** For TypeScript with React: `<attention-playground>` in JSX. In any file: import type {} from "attention-playground/react". */
import type { AttentionPlaygroundAttributes } from "./attention-playground.js";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "attention-playground": AttentionPlaygroundAttributes;
    }
  }
}
