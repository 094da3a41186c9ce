import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { type Block, BLOCKS } from '../../texts/blocks.js';
import type { SpaceFile } from '../queries.js';
import type { TreeData } from '../tree/tree-data.js';
import { insertBlock } from './snippets.js';

/** The things that a text can refer to. */
export interface References {
  readonly tree: TreeData;
  readonly files: readonly SpaceFile[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly reusableContents: readonly { readonly id: string; readonly title: string }[];
}

interface Source {
  /** The text that is typed before the options are offered. */
  readonly before: RegExp;
  /** The part of it that an option takes the place of, else all; also what keeps the options while it is typed. */
  readonly replaced?: RegExp;
  readonly options: (references: References, typed: string) => readonly Completion[];
}

/** The ways to refer to things, the first that fits is taken. */
const SOURCES: readonly Source[] = [
  // `/` at the beginning of a line: every block.
  {
    before: /^\s*\/[\w: ]*$/,
    replaced: /\/[\w: ]*$/,
    options: () =>
      BLOCKS.map((block) => ({
        ...blockOption(block),
        label: `/${block.label} ${block.words}`,
        displayLabel: block.label,
      })),
  },
  // The reusable content that a tag includes.
  {
    before: /\{% include "[^"\n]*$/,
    replaced: /[^"\n]*$/,
    options: ({ reusableContents }) =>
      reusableContents.map(({ id, title }) => ({ label: title, type: 'class', apply: `/reusable-contents/${id}` })),
  },
  // The target of a link or picture, and of tags that name pages, files or addresses.
  {
    before: /(?:!?\[[^\]\n]*\]\(|(?:src|href|url)=")[^)"\n]*$/,
    replaced: /[^()"\n]*$/,
    options: ({ tree, files }, typed) => [
      ...(/^(?:!|src)/.test(typed) ? [] : pagesOf(tree, (_title, path) => path, '')),
      ...files
        .filter(({ contentType }) => !typed.startsWith('!') || contentType.startsWith('image/'))
        .map(({ id, name }) => ({ label: name, type: 'file', detail: id, apply: `/files/${id}` })),
    ],
  },
  // `[[`: a whole link to a page.
  {
    before: /\[\[[^\]\n]*$/,
    options: ({ tree }) => pagesOf(tree, (title, path) => `[${title}](${path})`, '[['),
  },
  // `@`: a page that is mentioned, which is shown with its icon and its present title.
  {
    before: /(?:^|(?<=[\s(]))@[^\s@]*$/,
    replaced: /@[^\s@]*$/,
    options: ({ tree }) => pagesOf(tree, (title, path) => `[${title}](${path} "mention")`, '@'),
  },
  // `{{`: the value of a variable.
  {
    before: /\{\{[\w. ]*$/,
    options: ({ variables }) =>
      Object.entries(variables).map(([name, value]) => ({
        label: `{{${name}`,
        displayLabel: name,
        type: 'variable',
        detail: String(value),
        apply: `<code class="expression">space.vars.${name}</code>`,
      })),
  },
  // The names in expressions.
  {
    before: /space\.vars\.\w*$/,
    replaced: /\w*$/,
    options: ({ variables }) =>
      Object.entries(variables).map(([name, value]) => ({ label: name, type: 'variable', detail: String(value) })),
  },
  // Tags at their beginning.
  {
    before: /\{%\s?[\w-]*$/,
    options: () =>
      BLOCKS.filter(({ template }) => template.startsWith('{%')).map((block) => ({
        ...blockOption(block),
        label: block.template.slice(0, block.template.indexOf('%}') + 2).replace(/\$\{([^}]*)\}/g, '$1'),
        detail: block.label,
      })),
  },
];

/** Completes what is being typed; `references` gives what there is now. */
export function completionSource(references: () => References) {
  return (context: CompletionContext): CompletionResult | null => {
    for (const { before, replaced = before, options } of SOURCES) {
      const found = context.matchBefore(before);
      const part = found && replaced.exec(found.text);
      if (!part) continue;
      return { from: found.from + part.index, validFor: replaced, options: options(references(), found.text) };
    }
    return null;
  };
}

function blockOption(block: Block): Pick<Completion, 'type' | 'apply'> {
  return { type: 'keyword', apply: (view, _completion, from, to) => insertBlock(view, block, from, to) };
}

function pagesOf({ items }: TreeData, apply: (title: string, path: string) => string, before: string): Completion[] {
  return [...items.values()].flatMap((page) => {
    if (page.type !== 'document') return [];
    const title = page.title.replace(/[[\]\\]/g, '\\$&');
    return {
      label: `${before}${page.title}`,
      displayLabel: page.title,
      type: 'page',
      detail: page.path ?? '',
      apply: apply(title, `/${page.path ?? ''}.md`),
    };
  });
}
