/** The scenes of the words lab that are drawn by hand, by topic. */
import { sheetFor } from "../../stage/sheet.js";
import type { LabDeclaration } from "../../telling/declaration.js";
import { countPicture } from "./count-picture.js";
import { learnedPicture } from "./learned-picture.js";
import { lookupPicture } from "./lookup-picture.js";
import { stringsIn } from "./strings.js";

const pictures = { count: countPicture, near: null, learn: learnedPicture, lookup: lookupPicture };

/** The scene of a topic; null if its lines are drawn instead. */
export const picture: LabDeclaration<"words">["picture"] = (config, ...rest) =>
  pictures[config.numbers.topic]?.(sheetFor(stringsIn, config, ...rest)) ?? null;
