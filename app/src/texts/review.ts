/** Texts of change requests, comments and conflicts. */
export const reviewTexts = {
  changeRequest: 'Change request',
} as const;
