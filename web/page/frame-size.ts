/** The size of frames, apart from the code that draws them, for the page. */

/** The width that frames are designed for, and the padding beside their stage. */
export const frameWidth = 680;
export const framePadding = 16;

/** The height that a scene in a frame can rely on; frames grow with their scenes. */
export const frameRoom = 480;
