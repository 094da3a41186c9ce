/** Texts of finding, counting and describing in the editors, which are loaded with them. */
export const editingTexts = {
  find: {
    label: 'Find in the text',
    find: 'Find',
    replacement: 'Replace with',
    previous: 'Previous place',
    next: 'Next place',
    isCaseSensitive: 'Match case',
    isWholeWord: 'Whole words',
    replace: 'Replace',
    replaceAll: 'Replace all',
    close: 'End the search',
    found: (index: number, count: number) =>
      count === 0 ? 'Not found' : index === 0 ? `${count} found` : `${index} of ${count}`,
    replaced: (count: number) => (count === 1 ? '1 place replaced' : `${count} places replaced`),
    unsearched: (count: number) =>
      count === 1
        ? 'One block is shown as a whole: nothing is found in it.'
        : `${count} blocks are shown as wholes: nothing is found in them.`,
    count: (words: number, characters: number) =>
      `${words} ${words === 1 ? 'word' : 'words'}, ${characters} ${characters === 1 ? 'character' : 'characters'}`,
    selection: (count: string) => `Selected: ${count}`,
  },
  details: {
    title: 'Details of the page',
    save: 'Save the details',
    discard: 'Discard the changes',
    unsaved: 'Not saved yet',
    leave: 'The details of the page are not saved yet. Leave anyway?',
  },
} as const;
