/** Fills the part of the Share dialog that writes code for other pages. */
import { encode } from "../../config/codec.js";
import { frameRoom } from "../frame-size.js";
import { frameHeight, framedTensors } from "../frame.js";
import { labOf, withView } from "../open-lab.js";
import type { TakeHost, Taking } from "../take/file-transfer.js";
import { tensorLabel } from "../tensor-label.js";
import type { ApEmbed } from "./panel.js";
import "./panel.js";

export function showEmbed(section: ApEmbed, host: TakeHost, taking: Taking): void {
  const { playground } = host;
  const { config, drawn, snapshots, state } = playground;
  const words = host.words();
  const shown = drawn ?? config;
  section.words = words;
  section.parentElement?.addEventListener("close", () => section.rest(), { once: true });
  section.show({
    base: host.base,
    title: labOf(config).title(config, words),
    name: taking.stageName(),
    pictureWidth: taking.stageWidth(),
    tensors: (drawn ? framedTensors(drawn, snapshots, words) : [])
      .filter((node) => snapshots.has(node))
      .map((node) => ({ node, label: tensorLabel(shown, node, words, snapshots) })),
    hash: (view) => encode(withView(state, view)),
    height: (parts, focus) =>
      drawn ? frameHeight(drawn, snapshots, words, parts.has("formula"), focus) : frameRoom,
    drawPicture: () => taking.drawStage(),
    savePicture: (form) => taking.saveStage(form),
  });
}
