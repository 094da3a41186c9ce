import type { MarkdownRule, TargetKind } from '../../../formats/markdown/parse-context.js';

/** The kind of a problem in a folder. */
export type FolderRule =
  | MarkdownRule
  | 'broken-anchor'
  | 'broken-link'
  | 'configuration'
  | 'duplicate-page'
  | 'faulty-specification'
  | 'foreign-encoding'
  | 'invalid-specification'
  | 'lfs-pointer'
  | 'missing-file'
  | 'missing-image'
  | 'missing-include'
  | 'missing-page'
  | 'missing-specification'
  | 'outside-root'
  | 'path-taken'
  | 'refused-file'
  | 'table-of-contents'
  | 'unlisted-page'
  | 'unused-file';

/** How much a finding weighs: only errors fail a check. */
export type Severity = 'error' | 'warning' | 'notice';

interface Rule {
  readonly severity: Severity;
  /** A sentence about the folder that breaks the rule. */
  readonly description: string;
}

/** All rules of a check, by name. */
export const RULES: Readonly<Record<FolderRule, Rule>> = {
  'broken-anchor': { severity: 'error', description: 'A link names an anchor that its page does not have.' },
  'broken-link': { severity: 'error', description: 'A link leads to a page or file that is not in the folder.' },
  configuration: { severity: 'error', description: 'A configuration file has an entry that cannot be read.' },
  'duplicate-page': { severity: 'warning', description: 'The table of contents names a page more than once.' },
  'faulty-specification': {
    severity: 'warning',
    description: 'An OpenAPI specification has a fault that does not stop reading.',
  },
  'foreign-encoding': { severity: 'warning', description: 'A text is not UTF-8, and is read as Windows-1252.' },
  'front-matter': { severity: 'error', description: 'The front matter of a page cannot be read.' },
  'invalid-specification': { severity: 'error', description: 'An OpenAPI specification cannot be read.' },
  'lfs-pointer': { severity: 'warning', description: 'A file is a pointer of Git LFS, without what it stands for.' },
  'missing-file': { severity: 'error', description: 'A file block names a file that is not in the folder.' },
  'missing-image': { severity: 'error', description: 'An image is not in the folder.' },
  'missing-include': { severity: 'error', description: 'An included content is not in the folder.' },
  'missing-page': { severity: 'error', description: 'The table of contents names a page that is not in the folder.' },
  'missing-specification': {
    severity: 'error',
    description: 'A block names an OpenAPI specification that is not in the folder.',
  },
  'outside-root': { severity: 'notice', description: 'Files lie outside of the root that the configuration names.' },
  'path-taken': { severity: 'warning', description: 'Two pages have the same address, so one gets another.' },
  'refused-file': { severity: 'warning', description: 'A file cannot be imported, such as a symbolic link.' },
  'simplified-table': { severity: 'notice', description: 'A part of a table has no counterpart and is left out.' },
  'table-of-contents': { severity: 'warning', description: 'The table of contents has a part that is no entry.' },
  'unlisted-page': { severity: 'notice', description: 'The table of contents does not name a page.' },
  'unreadable-text': { severity: 'error', description: 'A text takes too much time or memory to read.' },
  'unsafe-link': { severity: 'error', description: 'A link has an address that is not allowed.' },
  'unsupported-markup': { severity: 'warning', description: 'A block is not supported and is shown as written.' },
  'unused-definition': { severity: 'notice', description: 'A definition of a link or footnote is not used.' },
  'unused-file': { severity: 'notice', description: 'No page uses a file.' },
};

/** The rule that a target of each kind breaks if nothing is there. */
export const MISSING_TARGET: Readonly<Record<TargetKind, FolderRule>> = {
  link: 'broken-link',
  image: 'missing-image',
  file: 'missing-file',
  include: 'missing-include',
  openapi: 'missing-specification',
};
