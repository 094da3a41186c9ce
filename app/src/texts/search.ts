/** Texts of the search. */
export const searchTexts = {
  field: 'Search all spaces',
  help: 'Words or questions; "phrases" in quotation marks, or, -without. Arrow keys go through the hits.',
  startTitle: 'Find a page',
  startText: 'The search looks through all pages that you can see, and shows the text around what it finds.',
  nothing: (query: string) => `Nothing was found for “${query}”`,
  nothingText: 'Try fewer or other words.',
} as const;
