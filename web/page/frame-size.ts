/** The size that a frame is made for: what the page needs to know of frames, without what draws them. */

/** The width a frame is made for, and the air beside its stage. */
export const frameWidth = 680;
export const framePadding = 16;

/** What a scene in a frame may count on; frames grow with their scenes. */
export const frameRoom = 480;
