/**
 * Saves numbers and pictures as files, and opens such files: the code behind menus, the Share dialog, drops
 * and pastes.
 */
import { encode } from "../../config/codec.js";
import { decodeSent } from "../../config/decode.js";
import type {
  AttentionNumbers,
  Config,
  Edit,
  LabId,
  MultiHeadNumbers,
  NumbersOf,
} from "../../config/config.js";
import { rowCount } from "../../config/labs/multi-head.js";
import { printable, visible } from "../../config/shortened.js";
import type { Stage } from "../../elements/stage/stage.js";
import { readNumbers, type ReadNumbers } from "../../files/numbers-text.js";
import { MOST_BYTES, recognizeFile, type FileContent } from "../../files/saved-link.js";
import { writeCsv, writeJson } from "../../files/tables.js";
import type { Words } from "../../i18n/words.js";
import { isOwn } from "../../labs/attention/own.js";
import { isOwnLeaf } from "../../labs/multi-head/own.js";
import { boardAt, type Board, type Place } from "../../marks/board.js";
import { symbolName } from "../../marks/lettering.js";
import { formatShape } from "../../marks/numbers.js";
import type { Snapshot } from "../../marks/scene.js";
import { lacksNumbers } from "../cells.js";
import { labOf } from "../open-lab.js";
import type { Playground } from "../playground.js";
import { tensorLabel } from "../tensor-label.js";
import { reasonOf } from "../trouble.js";
import type { Explained } from "../client.js";
import type { Making } from "../film/film.js";
import type { Form } from "./buttons.js";
import type { FileHandler, Spot } from "./drops-and-pastes.js";
import "./files.js";
import type { ApTakeFiles, FilesEntry } from "./files.js";
import "./menu.js";
import { withCaption, type PictureCaption } from "../../marks/picture-caption.js";
import {
  paletteOf,
  pngFile,
  svgFile,
  pictureOfBoard,
  pictureOfStage,
  type SavedPicture,
} from "./pictures.js";
import { isOwnTensor, withOwnLeafMatrix, withOwnMatrix } from "./own-matrix.js";
import { isPut, unreadRefusal, putNumbers, type Refusal } from "./put-numbers.js";
import "./drop-veil.js";
import { takeWords, type TakeWords } from "./words.js";

/** A notice about a file, with its actions. */
export interface FileNotice {
  heading: string;
  body: string;
  actions: { label: string; act: () => void }[];
}

/** What the page provides. */
export interface TransferHost {
  readonly playground: Playground;
  /** The page's folder, ending in "/". */
  readonly base: string;
  words(): Words;
  /** The stage with the numbers; null when the contents are shown. */
  stage(): Stage | null;
  /** The parent of the menus. */
  readonly root: ParentNode & Node;
  /** Whether a comparison or a gradient is shown. */
  isReading(): boolean;
  /** How a cell of the last computed Config was computed. */
  explain(node: string, index: number[]): Promise<Explained>;
  /** The numbers of another Config. */
  computeSeparately(config: Config): Promise<readonly Snapshot[]>;
  /** The numbers of a node in NumPy's file format. */
  file(node: string): Promise<Uint8Array>;
  /** The run of the training lab as far as it has come, a .safetensors file that carries the link. */
  checkpoint(link: string): Promise<Uint8Array>;
  /** The run of a Config goes on from such a file. */
  openCheckpoint(config: Config, bytes: Uint8Array): Promise<void>;
  readNpy(bytes: Uint8Array): Promise<{ shape: readonly number[]; data: ArrayLike<number> }>;
  /** Opens the state of a link. */
  openState(hash: string): void;
  /** Sets cells, as typing into them does. */
  edit(edits: readonly Edit[]): void;
  /** Sets the reader's picture in the image lab, which is opened first when another lab is. */
  useImage(file: File): void;
  showNotice(notice: FileNotice | null): void;
}

/** A tensor accepts a drop at this distance. */
const DROP_DISTANCE = 18;
const MEGABYTE = 2 ** 20;

const types: Readonly<Record<Form, string>> = {
  csv: "text/csv",
  json: "application/json",
  npy: "application/octet-stream",
  png: "image/png",
  svg: "image/svg+xml",
  gif: "image/gif",
  safetensors: "application/octet-stream",
};

const fileName = (name: string, form: Form): string => `${name.replace(/[^\w.-]+/g, "-")}.${form}`;

/** Lets the browser save bytes as a file. */
function download(name: string, type: string, bytes: Uint8Array): void {
  const address = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the bytes after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The longest link in the largest QR code, in characters (ISO/IEC 18004, version 40-L). */
const longestCode = 2953;

export class FileTransfer implements FileHandler {
  readonly #host: TransferHost;

  constructor(host: TransferHost) {
    this.#host = host;
  }

  get #words(): TakeWords {
    return takeWords(this.#host.words());
  }

  /** The Config whose numbers are on the page. */
  get #config(): Config {
    const { playground } = this.#host;
    return playground.drawnConfig ?? playground.config;
  }

  get #link(): string {
    return `${this.#host.base}#${encode(this.#host.playground.drawnState)}`;
  }

  /** The name of a node in sentences: its plain name, or its symbol. */
  #nameOf(node: string): string {
    const config = this.#config;
    const { name, symbol, role } = labOf(config).nodeWords(
      config,
      node,
      this.#host.words(),
      this.#host.playground.snapshotsOf(config),
    );
    return role === "weight" || name === "" ? symbolName(symbol) : name;
  }

  // Saving

  /** Opens the menu of a node; `board` is the matrix that it was opened from, if any. */
  openMenu({ node, board, at }: { node: string; board: string | null; at: DOMRect }): void {
    const { root, playground } = this.#host;
    const stage = this.#host.stage();
    const snapshot = playground.snapshots.get(node);
    if (!snapshot) return;
    const { cell } = playground;
    const standing = stage?.boards.filter((other) => other.node === node) ?? [];
    const shown =
      standing.find((other) => other.id === board) ??
      standing.find((other) => cell && other.run(cell.node, cell.index, cell.index)) ??
      standing[0];
    const menu = this.#element(root, "ap-take-menu");
    menu.words = this.#host.words();
    const entry = {
      name: this.#nameOf(node),
      shape: formatShape(snapshot.shape),
      isDrawn: shown !== undefined,
      takes: shown && this.#acceptsNumbers(shown) ? formatShape(snapshot.shape) : null,
      save: (form: Form) =>
        this.#orNotice(() =>
          form === "png" || form === "svg" ? this.#saveBoard(shown, form) : this.#saveNode(node, form),
        ),
      put: (file: File) => void this.#readInto(file, shown),
    };
    void menu.open(entry, at);
  }

  /** Fills the part of the Share dialog that has the files. */
  showFiles(section: ApTakeFiles): void {
    const { playground } = this.#host;
    const words = this.#host.words();
    const config = this.#config;
    const nodes = [...playground.snapshots.keys()];
    section.words = words;
    section.show({
      tensors: nodes.map((node) => ({
        node,
        label: tensorLabel(config, node, words, playground.snapshots),
        name: this.#nameOf(node),
      })),
      // No cell is chosen while another lab is being computed.
      node: playground.cell?.node ?? nodes[0] ?? "",
      saveStage: (form, coded) => this.saveStage(form, coded),
      codeFits: this.#link.length <= longestCode,
      saveFilm: (making) => this.#saveFilm(making),
      filmRemark: this.#filmRemark(config),
      save: (node, form) => this.#orNotice(() => this.#saveNode(node, form)),
      saveRun: config.view.lab === "training" ? () => this.#orNotice(() => this.#saveRun()) : null,
      open: (file) => void this.#open(file),
    });
  }

  /**
   * The name of a picture of the stage; it ends in part of the checksum of the link, so that another state
   * has another name.
   */
  stageName(): string {
    const checksum = /c=\w*(\w{4})$/.exec(this.#link)?.[1];
    const { lab } = this.#config.view;
    return checksum ? `${lab}-${checksum}` : lab;
  }

  /** The width of a picture of the stage in CSS pixels; null when there is nothing to draw. */
  stageWidth(): number | null {
    return this.#pictureOfStage(null)?.picture.width ?? null;
  }

  /** Saves a picture of the stage, with a QR code of its link if `coded`. */
  saveStage(form: Form, coded = false): Promise<string | null> {
    return this.#orNotice(async () => {
      const code = coded ? (await import("./code.js")).codeOf(this.#link) : null;
      const picture = this.#pictureOfStage(code);
      if (!picture) throw new Error("the stage has no scene");
      return this.#download(this.stageName(), form, await this.#pictureBytes(picture, form));
    });
  }

  /** Why there is no film of a state, or what of its story a film shows. */
  #filmRemark({ view }: Config): FilesEntry["filmRemark"] {
    if (this.#host.isReading()) return "reading";
    return this.#host.playground.covered ? "covered" : view.story ? "story" : null;
  }

  /** Saves a film of Play; null when it was cancelled or could not be made. */
  #saveFilm(making: Making): Promise<string | null> {
    const name = this.stageName();
    return this.#orNotice(async () => {
      const { filmOf } = await import("../film/film.js");
      const { playground, base: page, explain, computeSeparately } = this.#host;
      await playground.computing;
      const stage = this.#host.stage();
      if (!stage || !playground.drawnConfig) throw new Error("the stage has no scene");
      const filmed = {
        config: playground.drawnConfig,
        snapshots: playground.snapshots,
        words: this.#host.words(),
        cell: playground.cell,
        picture: playground.state.view.picture ?? null,
        explain,
        computeSeparately,
      };
      const film = await filmOf(filmed, { palette: paletteOf(stage), link: this.#link, page }, making);
      return this.#download(name, "gif", film);
    }, making.signal);
  }

  /** The stage as SVG; null when there is nothing to draw. */
  async drawStage(): Promise<Uint8Array | null> {
    const picture = this.#pictureOfStage(null);
    return picture && this.#pictureBytes(picture, "svg");
  }

  #pictureOfStage(code: PictureCaption["code"]): SavedPicture | null {
    const words = this.#host.words();
    const stage = this.#host.stage();
    const config = this.#config;
    const taken = stage && pictureOfStage(stage, labOf(config).title(config, words), words);
    const caption = { link: this.#link, page: this.#host.base, code };
    return taken && { ...taken, picture: withCaption(taken.picture, caption, taken.palette) };
  }

  async #saveNode(node: string, form: Form): Promise<string> {
    const known = this.#host.playground.snapshots.get(node);
    if (!known) throw new Error(`there is no tensor named ${node}`);
    const name = `${this.#config.view.lab}-${node}`;
    if (form === "npy") return this.#download(name, form, await this.#host.file(node));
    const snapshot = lacksNumbers(known) ? await this.#fetched(known) : known;
    const text = form === "csv" ? writeCsv(snapshot, this.#link) : writeJson(snapshot, this.#link);
    return this.#download(name, form, new TextEncoder().encode(text));
  }

  /** A tensor that the page has no numbers of, with those that the core has now. */
  async #fetched(known: Snapshot): Promise<Snapshot> {
    const { shape, data } = await this.#host.readNpy(await this.#host.file(known.name));
    return { ...known, shape: [...shape], data: Float64Array.from(data) };
  }

  async #saveBoard(board: Board | undefined, form: Form): Promise<string> {
    const stage = this.#host.stage();
    const words = this.#host.words();
    const title = board ? this.#nameOf(board.node) : "";
    const taken = stage && board ? pictureOfBoard(stage, board.id, title, words) : null;
    if (!taken || !board) throw new Error("the tensor is not on the stage");
    const at = board.tensor?.placed.at.filter((place) => place !== null) ?? [];
    const name = [this.#config.view.lab, board.node, ...at].join("-");
    return this.#download(name, form, await this.#pictureBytes(taken, form));
  }

  async #pictureBytes(taken: SavedPicture, form: Form): Promise<Uint8Array> {
    return form === "svg" ? svgFile(taken, this.#link) : pngFile(taken, this.#link);
  }

  async #saveRun(): Promise<string> {
    return this.#download(this.stageName(), "safetensors", await this.#host.checkpoint(this.#link));
  }

  #download(name: string, form: Form, bytes: Uint8Array): string {
    const file = fileName(name, form);
    download(file, types[form], bytes);
    return file;
  }

  /** The name of the file that was saved; null when it was cancelled, and, with a notice, when it could not be saved. */
  async #orNotice(save: () => Promise<string>, signal?: AbortSignal): Promise<string | null> {
    try {
      return await save();
    } catch (error) {
      if (signal?.aborted) return null;
      this.#showNotice("take.failed", "take.failed_body", { reason: reasonOf(error) });
      return null;
    }
  }

  // Opening

  dragOver({ stage, x, y, type }: Spot): void {
    // Pictures and JSON are opened wherever they are dropped.
    const board = /^image\/|json$/.test(type) ? null : this.#boardAt(stage, x, y);
    const veil = this.#element(this.#host.root, "ap-drop-veil");
    if (!board?.tensor || !this.#acceptsNumbers(board) || !stage)
      return veil.show(this.#words("give.page"), null);
    const text = this.#words("give.tensor", {
      name: this.#nameOf(board.node),
      shape: formatShape(board.tensor.snapshot.shape),
    });
    const [width, height] = [board.columns * board.cellWidth, board.rows * board.cellHeight];
    veil.show(text, stage.inWindow({ x: board.x, y: board.y, width, height }));
  }

  dragEnd(): void {
    this.#element(this.#host.root, "ap-drop-veil").hide();
  }

  drop(file: File, { stage, x, y }: Spot): void {
    const board = this.#boardAt(stage, x, y);
    if (board?.tensor) void this.#readInto(file, board);
    else void this.#open(file);
  }

  paste(text: string, stage: Stage, cell: HTMLElement): void {
    const id = cell.closest<HTMLElement>("[data-board]")?.dataset["board"];
    const board = stage.boards.find((other) => other.id === id);
    if (!board) return;
    const from = [Number(cell.dataset["row"]), Number(cell.dataset["column"])] as const;
    this.#putText(text, board, from);
  }

  #boardAt(stage: Stage | null, x: number, y: number): Board | null {
    return (stage && boardAt(stage.pointable, ...stage.inScene(x, y), DROP_DISTANCE)?.board) ?? null;
  }

  /** The bytes of a file, and what kind of file it is; null, with a notice, when it cannot be read. */
  async #read(file: File): Promise<{ bytes: Uint8Array; given: FileContent } | null> {
    // Removes the message about an earlier file.
    this.#host.stage()?.clear();
    const slots = { file: printable(file.name) };
    if (file.size > MOST_BYTES) {
      const sizes = { given: Math.ceil(file.size / MEGABYTE), most: MOST_BYTES / MEGABYTE };
      this.#showNotice("give.large", "give.large_body", { ...slots, ...sizes });
      return null;
    }
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      return { bytes, given: recognizeFile(bytes) };
    } catch (error) {
      this.#showNotice("give.broken", "give.broken_body", { reason: visible(reasonOf(error)) });
      return null;
    }
  }

  /**
   * Opens a file for the page: a state is opened, a picture goes to the image lab, and for anything else a
   * notice says what is missing.
   */
  async #open(file: File): Promise<void> {
    const read = await this.#read(file);
    if (!read) return;
    const { given } = read;
    this.#host.root.querySelector<HTMLElement & { close?: () => void }>("ap-share")?.close?.();
    this.#host.showNotice(null);
    const slots = { file: printable(file.name) };
    if (given.kind === "state") this.#host.openState(given.hash);
    else if (given.kind === "checkpoint") await this.#openCheckpoint(read.bytes, given.hash);
    else if (given.kind === "image") this.#image(file);
    else if (given.kind === "npy") this.#showNotice("give.npy", "give.npy_body", slots);
    else this.#showNotice("give.none", "give.none_body", slots);
  }

  async #openCheckpoint(bytes: Uint8Array, hash: string): Promise<void> {
    try {
      await this.#host.openCheckpoint(decodeSent(hash).config, bytes);
      this.#host.openState(hash);
    } catch (error) {
      this.#showNotice("give.broken", "give.broken_body", { reason: visible(reasonOf(error)) });
    }
  }

  #image(file: File): void {
    const { playground } = this.#host;
    const open = this.#host.stage() !== null && "image" in playground.config.numbers;
    if (open && file.type !== "image/svg+xml") return this.#host.useImage(file);
    this.#showNotice("give.image", "give.image_body", {}, [
      { label: this.#words("give.image_use"), act: () => this.#host.useImage(file) },
    ]);
  }

  /**
   * Reads a file for one tensor: its numbers become edits. A picture or a state is opened as anywhere else on
   * the page.
   */
  async #readInto(file: File, board: Board | undefined): Promise<void> {
    const read = await this.#read(file);
    if (!read || !board) return;
    const { bytes, given } = read;
    if (given.kind === "npy") return this.#putNpy(bytes, board);
    const table = /\.(csv|tsv|txt)$/i.test(file.name) && given.kind !== "image";
    if (given.kind === "text" || table) this.#putText(new TextDecoder().decode(bytes), board, null);
    else await this.#open(file);
  }

  async #putNpy(bytes: Uint8Array, board: Board): Promise<void> {
    try {
      const { shape, data } = await this.#host.readNpy(bytes);
      this.#put({ shape: [...shape], data: Float64Array.from(data) }, board, null);
    } catch (error) {
      this.#showNotice("give.broken", "give.broken_body", { reason: visible(reasonOf(error)) });
    }
  }

  #putText(text: string, board: Board, from: Place | null): void {
    if (!this.#acceptsNumbers(board)) {
      return this.#refuse({ key: "put.computed", slots: { name: this.#nameOf(board.node) } }, board, from);
    }
    const read = readNumbers(text);
    if ("problem" in read) this.#refuse(unreadRefusal(read), board, from);
    else this.#put(read, board, from);
  }

  #put(given: { shape: number[]; data: Float64Array }, board: Board, from: Place | null): void {
    if (this.#ownNumbers(board)) return this.#putOwn(given, board, from);
    const { playground } = this.#host;
    const stage = this.#host.stage();
    // The numbers may have been computed again since the file was chosen.
    const now = stage?.boards.find((other) => other.id === board.id) ?? board;
    const before = playground.config.numbers.edits;
    const result = putNumbers(given, { board: now, from, name: this.#nameOf(board.node), before });
    if (isPut(result)) {
      this.#host.showNotice(null);
      this.#host.edit(result.edits);
    } else if (!this.#putResized(given, now, from, result)) this.#refuse(result, now, from);
  }

  /**
   * Puts a matrix that does not fit into the words or a weight of the multi-head lab, whose sizes then follow
   * it. False where this is not possible, or where the matrix does not begin at the first cell.
   */
  #putResized(given: ReadNumbers, board: Board, from: Place | null, { key }: Refusal): boolean {
    const { playground } = this.#host;
    const { node } = board;
    const isOther = key === "put.shape" || key === "put.room" || key === "put.most";
    if (playground.config.view.lab !== "multi-head" || !isOwnLeaf(node) || !isOther) return false;
    if (from && (from[0] > 0 || from[1] > 0)) return false;
    const before = playground.config.numbers as MultiHeadNumbers;
    const name = this.#nameOf(node);
    const snapshots = playground.snapshotsOf(playground.config);
    const result = withOwnLeafMatrix(given, node, name, before, snapshots);
    if (!("numbers" in result)) this.#refuse(result, board, from);
    else if (key === "put.most" && result.lost.length === 0) this.#replace(result.numbers);
    else {
      const words = this.#words;
      const { dim, heads, keyDim, valueDim } = result.numbers;
      const slots = { count: rowCount(result.numbers), dim, heads, keyDim, valueDim };
      this.#confirmOwn(
        words("own.other", { actual: formatShape(given.shape) }),
        [words("own.sizes", slots), this.#lostText("own.redrawn", result.lost)],
        words("own.use"),
        result.numbers,
      );
    }
    return true;
  }

  #replace(numbers: NumbersOf[LabId]): void {
    this.#host.showNotice(null);
    this.#host.playground.replaceNumbers(numbers);
  }

  /** Which tensors get new numbers; "" when none do. */
  #lostText(key: "own.lost" | "own.redrawn", lost: readonly string[]): string {
    const words = this.#words;
    const names = lost.map((tensor) => this.#nameOf(tensor)).join(words("own.and"));
    return names && words(key, { lost: names });
  }

  /** Asks the reader before the settings become `numbers`. */
  #confirmOwn(heading: string, body: readonly string[], label: string, numbers: NumbersOf[LabId]): void {
    const dismiss = { label: this.#words("give.dismiss"), act: () => this.#host.showNotice(null) };
    this.#host.showNotice({
      heading,
      body: body.filter(Boolean).join(" "),
      actions: [{ label, act: () => this.#replace(numbers) }, dismiss],
    });
  }

  /** Whether numbers can be put into the tensor of a board. */
  #acceptsNumbers(board: Board): boolean {
    return board.tensor?.placed.editable === true || this.#ownNumbers(board) !== null;
  }

  /**
   * The settings of the attention lab when the board is its Q, K or V, which can be the reader's own; else
   * null.
   */
  #ownNumbers({ node }: Board): AttentionNumbers | null {
    const { view, numbers } = this.#host.playground.config;
    return view.lab === "attention" && isOwnTensor(node) ? (numbers as AttentionNumbers) : null;
  }

  /** Puts numbers at once when only this tensor changes; else asks the reader. */
  #putOwn(given: ReadNumbers, board: Board, from: Place | null): void {
    const { playground } = this.#host;
    const name = this.#nameOf(board.node);
    const before = this.#ownNumbers(board);
    if (!before || !isOwnTensor(board.node)) return;
    const result = withOwnMatrix(given, board.node, name, before, playground.snapshotsOf(playground.config));
    if (!("numbers" in result)) return this.#refuse(result, board, from);
    if (!result.asks) return this.#replace(result.numbers);
    const words = this.#words;
    const slots = { name, actual: formatShape(given.shape) };
    this.#confirmOwn(
      words(isOwn(before) ? "own.other" : "own.heading", slots),
      [isOwn(before) ? "" : words("own.body", slots), this.#lostText("own.lost", result.lost)],
      words("own.start"),
      result.numbers,
    );
  }

  /** Shows the reason at the tensor itself, in place of the notice about an earlier file. */
  #refuse({ key, slots }: Refusal, board: Board, from: Place | null): void {
    this.#host.showNotice(null);
    this.#host.stage()?.refuse(board, from ?? [board.rows - 1, 0], this.#words(key, slots));
  }

  #showNotice(
    heading: Parameters<TakeWords>[0],
    body: Parameters<TakeWords>[0],
    slots: Parameters<TakeWords>[1],
    actions: FileNotice["actions"] = [],
  ): void {
    const words = this.#words;
    const dismiss = { label: words("give.dismiss"), act: () => this.#host.showNotice(null) };
    this.#host.showNotice({
      heading: words(heading),
      body: words(body, slots),
      actions: [...actions, dismiss],
    });
  }

  #element<Name extends "ap-take-menu" | "ap-drop-veil">(
    root: ParentNode & Node,
    name: Name,
  ): HTMLElementTagNameMap[Name] {
    const known = root.querySelector<HTMLElementTagNameMap[Name]>(name);
    if (known) return known;
    const element = document.createElement(name);
    root.appendChild(element);
    return element;
  }
}
