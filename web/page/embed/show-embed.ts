/** Fills the part of the Share dialog that writes code for other pages. */
import { encode } from "../../config/codec.js";
import { frameRoom } from "../frame-size.js";
import { frameHeight, framedTensors } from "../frame.js";
import { frameOf, trains } from "../../labs/list.js";
import { labOf, withView } from "../open-lab.js";
import type { TransferHost, FileTransfer } from "../take/file-transfer.js";
import { tensorLabel } from "../tensor-label.js";
import type { ApEmbed } from "./panel.js";
import "./panel.js";

export function showEmbed(section: ApEmbed, host: TransferHost, transfer: FileTransfer): void {
  const { playground } = host;
  const { config, drawnConfig, snapshots, state } = playground;
  const words = host.words();
  const shown = drawnConfig ?? config;
  section.words = words;
  section.parentElement?.addEventListener("close", () => section.closePreview(), { once: true });
  section.show({
    trains: trains(config.view.lab),
    base: host.base,
    frame: frameOf(config.view.lab),
    title: labOf(config).title(config, words),
    name: transfer.stageName(),
    pictureWidth: transfer.stageWidth(),
    tensors: (drawnConfig ? framedTensors(drawnConfig, snapshots, words) : [])
      .filter((node) => snapshots.has(node))
      .map((node) => ({ node, label: tensorLabel(shown, node, words, snapshots) })),
    hash: (view) => encode(withView(state, view)),
    height: (parts, focus) =>
      drawnConfig ? frameHeight(drawnConfig, snapshots, words, parts.has("formula"), focus) : frameRoom,
    drawPicture: () => transfer.drawStage(),
    savePicture: (form) => transfer.saveStage(form),
  });
}
