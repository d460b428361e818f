/** The entry of bench.html: gives ap-bench its worker and the wasm of both builds. */
import { relaxedSimd } from "wasm-feature-detect";
import relaxed from "../../build/core/relaxed/transformer.wasm?url";
import simd from "../../build/core/simd/transformer.wasm?url";
import workerScript from "../../build/page/bench-worker.js?url";
import "../i18n/both.js";
import { ApBench } from "../bench/page/element.js";
import { keepSiteWhenIdle } from "../page/offline/keep-when-idle.js";
import { scriptAddress } from "../page/script-address.js";

async function bytes(address: string): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response.arrayBuffer();
}

const page = new ApBench();
page.createWorker = () => new Worker(scriptAddress(workerScript) as string);
page.wasm = async () => ({
  ...((await relaxedSimd()) && { relaxed: await bytes(relaxed) }),
  simd: await bytes(simd),
});

keepSiteWhenIdle((notice) => (page.version = notice));
document.body.prepend(page);
