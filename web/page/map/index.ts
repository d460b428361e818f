/** What the contents need, fetched together when they are opened. */
export { ApContents } from "./contents.js";
export { Gallery } from "../gallery.js";
