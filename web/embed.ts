/** The embed's entry: worker and wasm come from inside this script, for the frame may load nothing. */
import { unzlibSync } from "fflate";
import simdWasm from "../build/core/simd/attention.wasm?deflated";
import workerText from "../build/page/worker.js?raw";
import "./embed.css";
import { PartMissing } from "./labs/launch.js";
import { PartsClient } from "./labs/parts-client.js";
import { SessionClient } from "./labs/session-client.js";
import { ApEmbed } from "./page/embed-app.js";
import { scriptAddress } from "./page/script-address.js";

const bytes = (): ArrayBuffer =>
  unzlibSync(Uint8Array.from(atob(simdWasm), (letter) => letter.charCodeAt(0))).buffer as ArrayBuffer;

const createWorker = (): Worker => {
  const address = URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
  const worker = new Worker(scriptAddress(address) as string);
  // The script is being fetched; the address may go once it is.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return worker;
};

const frame = new ApEmbed();
frame.pageAddress = new URL("./", location.href.split("#")[0]).href;
frame.startClient = (onRestart) =>
  new PartsClient(
    (part) =>
      new SessionClient({
        createWorker,
        core() {
          // Both parts would make the file twice as large.
          if (part !== "attention") throw new PartMissing("A frame carries the attention part of the core.");
          return { build: "simd", wasm: bytes() };
        },
        onRestart,
      }),
  );
document.body.prepend(frame);
