import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import type { SpaceFile } from '../queries.js';
import type { TreeData } from '../tree/tree-data.js';
import { BLOCKS, insertBlock } from './snippets.js';

/** What a text can refer to. */
export interface References {
  readonly tree: TreeData;
  readonly files: readonly SpaceFile[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly reusableContents: readonly { readonly id: string; readonly title: string }[];
}

type Source = (context: CompletionContext, references: References) => CompletionResult | null;

/** `/` at the beginning of a line: every block. */
const blocks: Source = (context) => {
  const found = context.matchBefore(/^\s*\/[\w: ]*$/);
  if (!found) return null;
  return {
    from: found.from + found.text.indexOf('/'),
    filter: true,
    validFor: /^\/[\w: ]*$/,
    options: BLOCKS.map((block) => ({
      label: `/${block.label} ${block.words}`,
      displayLabel: block.label,
      type: 'keyword',
      apply: (view: EditorView, _completion: Completion, from: number, to: number) =>
        insertBlock(view, block, from, to),
    })),
  };
};

/** `[[`: a whole link to a page. */
const wikiLinks: Source = (context, { tree }) => {
  const found = context.matchBefore(/\[\[[^\]\n]*$/);
  if (!found) return null;
  return {
    from: found.from,
    validFor: /^\[\[[^\]\n]*$/,
    options: pagesOf(tree, (title, path) => `[${title}](${path})`, '[['),
  };
};

/** `@`: a page that is mentioned, which is shown with its icon and its present title. */
const mentions: Source = (context, { tree }) => {
  const found = context.matchBefore(/(?:^|(?<=[\s(]))@[^\s@]*$/);
  if (!found) return null;
  return {
    from: found.from,
    validFor: /^@[^\s@]*$/,
    options: pagesOf(tree, (title, path) => `[${title}](${path} "mention")`, '@'),
  };
};

/** The target of a link or picture, and of tags that name pages, files or addresses. */
const targets: Source = (context, { tree, files }) => {
  const found = context.matchBefore(/(?:!?\[[^\]\n]*\]\(|(?:src|href|url)=")[^)"\n]*$/);
  if (!found) return null;
  const opened = Math.max(found.text.lastIndexOf('('), found.text.lastIndexOf('"')) + 1;
  const isPicture = found.text.startsWith('!') || found.text.startsWith('src');
  const pictures = files.filter(({ contentType }) => !found.text.startsWith('!') || contentType.startsWith('image/'));
  return {
    from: found.from + opened,
    validFor: /^[^)"\n]*$/,
    options: [
      ...(isPicture ? [] : pagesOf(tree, (_title, path) => path, '')),
      ...pictures.map(({ id, name }) => ({ label: name, type: 'file', detail: id, apply: `/files/${id}` })),
    ],
  };
};

/** `{{`: the value of a variable. */
const variables: Source = (context, { variables: known }) => {
  const found = context.matchBefore(/\{\{[\w. ]*$/);
  if (!found) return null;
  return {
    from: found.from,
    validFor: /^\{\{[\w. ]*$/,
    options: Object.entries(known).map(([name, value]) => ({
      label: `{{${name}`,
      displayLabel: name,
      type: 'variable',
      detail: String(value),
      apply: `<code class="expression">space.vars.${name}</code>`,
    })),
  };
};

/** The names in expressions. */
const expressions: Source = (context, { variables: known }) => {
  const found = context.matchBefore(/space\.vars\.\w*$/);
  if (!found) return null;
  return {
    from: found.from + 'space.vars.'.length,
    validFor: /^\w*$/,
    options: Object.entries(known).map(([name, value]) => ({ label: name, type: 'variable', detail: String(value) })),
  };
};

/** The reusable content that a tag includes. */
const includes: Source = (context, { reusableContents }) => {
  const found = context.matchBefore(/\{% include "[^"\n]*$/);
  if (!found) return null;
  return {
    from: found.from + '{% include "'.length,
    validFor: /^[^"\n]*$/,
    options: reusableContents.map(({ id, title }) => ({
      label: title,
      type: 'class',
      apply: `/reusable-contents/${id}`,
    })),
  };
};

/** Tags at their beginning. */
const tags: Source = (context) => {
  const found = context.matchBefore(/\{%\s?[\w-]*$/);
  if (!found) return null;
  return {
    from: found.from,
    validFor: /^\{%\s?[\w-]*$/,
    options: BLOCKS.filter(({ template }) => template.startsWith('{%')).map(({ label, template }) => ({
      label: template.slice(0, template.indexOf('%}') + 2).replace(/\$\{([^}]*)\}/g, '$1'),
      detail: label,
      type: 'keyword',
      apply: (view: EditorView, _completion: Completion, from: number, to: number) =>
        insertBlock(view, { label, words: '', template }, from, to),
    })),
  };
};

const SOURCES: readonly Source[] = [blocks, includes, targets, wikiLinks, mentions, variables, expressions, tags];

/** Completes what is being typed; `references` gives what there is now. */
export function completionSource(references: () => References) {
  return (context: CompletionContext): CompletionResult | null => {
    for (const source of SOURCES) {
      const result = source(context, references());
      if (result) return result;
    }
    return null;
  };
}

function pagesOf({ nodes }: TreeData, apply: (title: string, path: string) => string, before: string): Completion[] {
  return [...nodes.values()].flatMap(({ page }) => {
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
