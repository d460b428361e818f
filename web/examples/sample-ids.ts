/** The ids of the sample images: known without the images. Permanent. */
export const sampleIds = ["harbour", "face", "letter"] as const;

export const hasSample = (id: string): boolean => (sampleIds as readonly string[]).includes(id);
