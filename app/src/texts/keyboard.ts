/** The keys of the workspace, and what each does. */
export const keyboardTexts = {
  shortcuts: [
    [['Ctrl', 'K'], 'Search pages, spaces, people and actions'],
    [['/'], 'The same'],
    [['?'], 'Show this help'],
    [['g', 'h'], 'Go to the home of the organization'],
    [['g', 'c'], 'Go to the change requests'],
    [['g', 'n'], 'Go to the notifications'],
    [['g', 's'], 'Go to the search'],
    [['g', 'p'], 'Go to the people'],
    [['g', 't'], 'Go to the trash'],
    [['Ctrl', 'Shift', 'E'], 'In an editor: from Markdown to the visual editor, and back'],
    [['Ctrl', 'F'], 'In an editor: find'],
    [['Ctrl', 'H'], 'In an editor: find and replace'],
    [['↑', '↓'], 'In the tree: the entry above or below'],
    [['→', '←'], 'In the tree: open or close a collection'],
    [['Enter'], 'In the tree: open the entry'],
    [['Shift', 'F10'], 'In the tree: the menu of the entry'],
    [['Ctrl', 'Shift', 'D'], 'In the tree: pick the entry up, then arrows, Enter to drop, Escape to cancel'],
  ] as const,
} as const;
