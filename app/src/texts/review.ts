const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Texts of change requests, comments and conflicts. */
export const reviewTexts = {
  changeRequest: 'Change request',
  noSubject: 'Without a subject',
  outdated: 'the published content has changed since',
  status: { draft: 'Draft', open: 'In review', merged: 'Merged', archived: 'Archived' },
  list: {
    title: 'Change requests',
    status: 'Status',
    whose: 'Whose change requests',
    all: 'Of everybody',
    mine: 'Mine',
    forMe: 'Waiting for my review',
    search: 'Search by subject',
    emptyTitle: 'No change requests here',
    emptyText: 'A change request collects edits of pages until somebody has reviewed and merged them.',
    openComments: (count: number) => plural(count, 'open comment', 'open comments'),
  },
  create: {
    button: 'New change request',
    title: 'New change request',
    subject: 'Subject',
    subjectHint: 'Say in a few words what will be different; it can be changed later.',
    submit: 'Create',
  },
} as const;
