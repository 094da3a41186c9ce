import { Amount, Free, Id, ObjectName, OneOf, Text } from '../../kernel/common/fields.js';

export const DIFF_FORMATS = ['blocks', 'html', 'unified'] as const;
export const PAGE_CHANGES = ['added', 'changed', 'moved', 'deleted', 'unchanged'] as const;
export type PageChange = (typeof PAGE_CHANGES)[number];

export class PageDiffQuery {
  @OneOf(DIFF_FORMATS, {
    optional: true,
    description: 'Form of the differences of the body; `blocks` when omitted',
  })
  format: (typeof DIFF_FORMATS)[number] = 'blocks';
  @Amount({
    optional: true,
    query: true,
    min: 0,
    max: 1000,
    description: 'Unchanged blocks, or lines of the unified form, shown on both sides of a change; 3 when omitted',
    example: 3,
  })
  context: number = 3;
}

export class ContentDiffBody {
  @OneOf(PAGE_CHANGES, { description: '`moved` has another place, and is otherwise the same' }) change: PageChange;
  @Free({
    list: true,
    description:
      'The attributes that differ, besides the body; `parent` is the page above. `heading` and `frontmatter` are those of the document',
    example: [{ attribute: 'title', before: 'Install', after: 'Installation' }],
  })
  attributes: readonly object[];
  @Free({
    optional: true,
    list: true,
    description:
      'With `format=blocks`: the blocks in the order of the later version, deleted ones where they were, with `change` inserted, deleted, moved, changed, unchanged or skipped (`count` unchanged ones are left out). ' +
      'A changed block has the words of its text (`runs`), the blocks in it (`blocks`) or the rows of its table (`rows`), and `attributes` that differ; without these it is another one as a whole',
    example: [
      { change: 'skipped', count: 4 },
      {
        change: 'changed',
        key: 'AbCdEfGh01',
        type: 'paragraph',
        before: { object: 'block', type: 'paragraph', key: 'AbCdEfGh01', isVoid: false, data: {} },
        after: { object: 'block', type: 'paragraph', key: 'AbCdEfGh01', isVoid: false, data: {} },
        runs: [
          { change: 'unchanged', text: 'Run the ', nodes: [] },
          { change: 'deleted', text: 'setup', nodes: [] },
          { change: 'inserted', text: 'installer', nodes: [] },
        ],
      },
    ],
  })
  blocks?: readonly object[];
  @Text({
    optional: true,
    description:
      'With `format=html`: the blocks as on published pages, each in `<div class="diff-block">` with `data-change`, `data-side` and `data-block`, words that differ in `<ins class="diff">` and `<del class="diff">`, blocks that are left out as `<div class="diff-skip" data-count="4">`',
    example:
      '<div class="diff-block" data-change="changed" data-block="AbCdEfGh01" data-side="after"><p>Run the <del class="diff">setup</del><ins class="diff">installer</ins></p></div>',
  })
  html?: string;
  @Text({
    optional: true,
    description: 'With `format=unified`: the lines of Markdown in the unified format; empty where none differs',
    example: '--- install.md\n+++ install.md\n@@ -1,1 +1,1 @@\n-Run the setup\n+Run the installer\n',
  })
  unified?: string;
}

export class PageDiffBody extends ContentDiffBody {
  @ObjectName('page-diff') object: 'page-diff';
  @Id() page: string;
}

export class ReusableContentDiffBody extends ContentDiffBody {
  @ObjectName('reusable-content-diff') object: 'reusable-content-diff';
  @Id() reusableContent: string;
}
