/** The ids of the sample images, in a file of their own, so that checking an id does not load the images. Ids are permanent. */
export const sampleIds = ["harbour", "face", "letter"] as const;

export const hasSample = (id: string): boolean => (sampleIds as readonly string[]).includes(id);
