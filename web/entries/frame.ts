/** The page of the frame with all labs but the one that trains. */
import "../labs/framed.js";
import { showFrame } from "../page/frame/page.js";

showFrame();
