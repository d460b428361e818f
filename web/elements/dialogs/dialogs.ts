/** The dialogs of the page, fetched together when the first of them is opened. */
import "./code.js";
import "./keys.js";
import "./share.js";
