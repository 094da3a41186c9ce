/** Texts of the trash. */
export const trashTexts = {
  text: (days: number) =>
    `Deleted spaces stay here for ${days} ${days === 1 ? 'day' : 'days'}, as the operator of the service has set it.`,
  space: 'Space',
  restore: 'Restore',
  restoreOne: (title: string) => `Restore ${title}`,
  restored: (title: string) => `${title} is back.`,
  purge: 'Delete for good',
  purgeOne: (title: string) => `Delete for good: ${title}`,
  purgeTitle: (title: string) => `Delete ${title} for good?`,
  purgeText: 'Its pages, their history, files, comments and change requests are removed. Nobody can bring them back.',
  purged: (title: string) => `${title} is deleted for good.`,
  empty: 'The trash is empty',
  emptyText: 'Spaces that are deleted can be restored from here.',
} as const;
