import { peopleTexts } from './people.js';
import { treeTexts } from './tree.js';

/**
 * Texts of the first screen, which all screens share, in the words of the documentation. Other texts are in files of their
 * own, which are loaded with the screens that show them.
 */
export const texts = {
  common: {
    loading: 'Loading',
    save: 'Save',
    rename: 'Rename',
    cancel: 'Cancel',
    delete: 'Delete',
    close: 'Close',
    undo: 'Undo',
    more: 'Load more',
    pages: 'Pages',
    untitled: 'Untitled',
    present: 'Present',
    changed: 'Changed',
    deleted: 'Deleted',
  },
  faults: {
    title: 'This could not be shown',
    notDone: 'Not done',
    tryAgain: 'Try again',
    offline: 'There is no connection to the server. Your text is kept in this browser.',
    notFoundTitle: 'Nothing is here',
    notFoundText: 'The address leads to something that does not exist, or that you cannot see.',
    byStatus: {
      401: 'Sign in again; what you typed is kept in this browser.',
      403: 'Ask an administrator of the organization for the right that is missing.',
      409: 'Somebody changed this at the same time: load it again and repeat the change.',
      412: 'Somebody changed this at the same time: load it again and repeat the change.',
      413: 'It is larger than the server accepts.',
      429: 'Too many requests: wait a moment, then try again.',
      503: 'The server is busy or restarting: try again in a moment.',
    } as Readonly<Record<number, string>>,
  },
  people: peopleTexts,
  tree: treeTexts,
  /** Names of the screens of an organization; their other texts are loaded with them. */
  services: {
    requests: 'Change requests',
    search: 'Search',
    trash: 'Trash',
    sites: 'Sites',
    conversations: 'Conversations',
    imports: 'Imports',
    exports: 'Exports',
    archive: 'Archive of the organization',
    templates: 'Templates',
    agentInstructions: 'Instructions for agents',
    settings: 'Settings',
    specifications: 'API specifications',
    translations: 'Translations',
    webhooks: 'Webhooks',
  },
} as const;
