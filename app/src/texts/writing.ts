/** Texts of reading, writing, files and history. */
export const writingTexts = {
  page: 'Page',
} as const;
