import type { Html, PhrasingContent } from 'mdast';
import { MARK_ORDER } from '../document/node-kinds.js';
import { sameMark } from '../document/same-marks.js';
import { fragmentNamed } from '../document/text.js';
import type { Inline, InlineData, Leaf, Mark, Node } from '../document/types.js';
import { emojiCharacters, emojiName } from './emoji.js';
import { escapeInline, openTag } from './html.js';
import type { SerializeContext } from './serialize-context.js';

/** A leaf or an inline with the marks that still have to be wrapped around it. */
interface Atom {
  node: Leaf | Inline;
  marks: readonly Mark[];
}

/** The nodes of a line as mdast. */
export function toPhrasing(nodes: readonly Node[], writing: SerializeContext): PhrasingContent[] {
  const leaves: (Leaf | Inline)[] = [];
  for (const node of nodes) {
    if (node.object === 'inline') leaves.push(node);
    else if (node.object === 'text') leaves.push(...node.leaves.filter((leaf) => leaf.text !== ''));
  }
  const atoms = leaves.map((node): Atom => ({ node, marks: node.object === 'leaf' ? node.marks : linkMarks(node) }));
  atoms.forEach((atom, index) => {
    if (atom.node.object === 'inline' && atom.node.isVoid) atom.marks = sharedMarks(atoms[index - 1], atoms[index + 1]);
  });
  return group(atoms, writing);
}

/**
 * A void inline has no marks; if its neighbours share marks it is written inside them. At the beginning of a line that
 * also prevents a tag from being parsed as the start of a block.
 */
function sharedMarks(before: Atom | undefined, after: Atom | undefined): readonly Mark[] {
  if (before === undefined && after?.node.object === 'leaf') return after.marks.filter((mark) => mark.type !== 'code');
  if (before?.node.object !== 'leaf' || after?.node.object !== 'leaf') return [];
  return before.marks.filter((mark) => mark.type !== 'code' && after.marks.some((other) => sameMark(mark, other)));
}

/** The common marks of all text of a link: they are written around the link. */
function linkMarks(node: Inline): readonly Mark[] {
  if (node.type !== 'link') return [];
  const leaves = (node.nodes ?? []).flatMap((child) => (child.object === 'text' ? child.leaves : []));
  const [first, ...rest] = leaves;
  if (first === undefined || first.text === '') return [];
  return first.marks.filter(
    (mark) => mark.type !== 'code' && rest.every((leaf) => leaf.marks.some((other) => sameMark(mark, other))),
  );
}

/** Wraps runs of atoms in the mark that covers the most of them, code innermost. */
function group(atoms: readonly Atom[], writing: SerializeContext): PhrasingContent[] {
  const written: PhrasingContent[] = [];
  let index = 0;
  while (index < atoms.length) {
    const atom = atoms[index];
    if (atom === undefined) break;
    const best = furthestMark(atoms, index);
    if (best === undefined) {
      written.push(...apart(atomNodes(atom, writing), written[written.length - 1]));
      index++;
      continue;
    }
    const inner = atoms
      .slice(index, best.end)
      .map(({ node, marks }) => ({ node, marks: marks.filter((mark) => !sameMark(mark, best.mark)) }));
    written.push(...wrap(best.mark, group(withoutMark(inner, best.mark), writing)));
    index = best.end;
  }
  return written;
}

/** Two adjacent formulas would share their dollar signs. */
function apart(nodes: PhrasingContent[], before: PhrasingContent | undefined): PhrasingContent[] {
  const [first, ...rest] = nodes;
  if (first?.type !== 'inlineMath' || before?.type !== 'inlineMath') return nodes;
  return [html(mathElement(first.value)), ...rest];
}

function mathElement(formula: string): string {
  return `<span class="math">${escapeInline(formula)}</span>`;
}

function withoutMark(atoms: readonly Atom[], mark: Mark): Atom[] {
  return atoms.map((atom) => {
    if (atom.node.object !== 'inline' || atom.node.type !== 'link') return atom;
    const nodes = (atom.node.nodes ?? []).map((child) =>
      child.object === 'text'
        ? {
            ...child,
            leaves: child.leaves.map((leaf) => ({ ...leaf, marks: leaf.marks.filter((own) => !sameMark(own, mark)) })),
          }
        : child,
    );
    return { ...atom, node: { ...atom.node, nodes } };
  });
}

function furthestMark(atoms: readonly Atom[], from: number): { mark: Mark; end: number } | undefined {
  let best: { mark: Mark; end: number } | undefined;
  const marks = [...(atoms[from]?.marks ?? [])].sort((a, b) => MARK_ORDER.indexOf(a.type) - MARK_ORDER.indexOf(b.type));
  for (const mark of marks) {
    if (mark.type === 'code') continue;
    let end = from + 1;
    while (atoms[end]?.marks.some((other) => sameMark(mark, other)) === true) end++;
    if (best === undefined || end > best.end) best = { mark, end };
  }
  return best;
}

function wrap(mark: Mark, children: PhrasingContent[]): PhrasingContent[] {
  switch (mark.type) {
    case 'bold':
      return [{ type: 'strong', children }];
    case 'italic':
      return [{ type: 'emphasis', children }];
    case 'strikethrough':
      return [{ type: 'delete', children }];
    case 'superscript':
      return [html('<sup>'), ...children, html('</sup>')];
    case 'subscript':
      return [html('<sub>'), ...children, html('</sub>')];
    case 'keyboard':
      return [html('<kbd>'), ...children, html('</kbd>')];
    case 'color':
      return [html(openTag('mark', { style: colorStyle(mark.data) })), ...children, html('</mark>')];
    case 'code':
      return children;
  }
}

function colorStyle(data: { text: string; background: string }): string {
  const text = data.text === 'default' && data.background !== 'default' ? '' : `color:${data.text};`;
  return data.background === 'default' ? text : `${text}background-color:${data.background};`;
}

export function html(value: string): Html {
  return { type: 'html', value };
}

function atomNodes(atom: Atom, writing: SerializeContext): PhrasingContent[] {
  const { node } = atom;
  if (node.object === 'inline') return inlineNodes(node, writing);
  if (atom.marks.some((mark) => mark.type === 'code')) return codeNodes(node.text);
  const parts = node.text.split('\n');
  return parts.flatMap((part, index): PhrasingContent[] => [
    ...(index > 0 ? [{ type: 'break' as const }] : []),
    ...(part === '' ? [] : [{ type: 'text' as const, value: part }]),
  ]);
}

/** Code between backticks cannot contain line breaks, and cannot be blank. */
function codeNodes(value: string): PhrasingContent[] {
  if (/^ *$|[\n\r]/.test(value)) return [html(`<code>${escapeInline(value)}</code>`)];
  return [{ type: 'inlineCode', value }];
}

/** The next number that is not a label yet. */
function freeLabel({ footnotes, takenLabels }: SerializeContext): string {
  let number = Number(footnotes[footnotes.length - 1]?.label ?? 0) + 1;
  while (takenLabels.has(String(number))) number++;
  return String(number);
}

type InlineWriter<T extends keyof InlineData> = (node: Inline<T>, writing: SerializeContext) => PhrasingContent[];

const WRITERS: { readonly [T in keyof InlineData]: InlineWriter<T> } = {
  link(node, writing) {
    const url = writing.render(node.data.ref);
    const children = toPhrasing(node.nodes ?? [], writing);
    const { title, attributes } = node.data;
    const startsOver = children.some((child) => child.type === 'link');
    const isImageLike = url === '' && title === undefined;
    if (attributes === undefined && !startsOver && !isImageLike && title !== 'mention') {
      return [{ type: 'link', url, ...(title === undefined ? {} : { title }), children }];
    }
    return [html(openTag('a', { href: url, title, ...attributes })), ...children, html('</a>')];
  },
  emoji(node) {
    const { code } = node.data;
    const name = emojiName(code);
    if (name !== undefined) return [{ type: 'emoji', code }];
    return [
      html(
        `${openTag('span', { 'data-gb-custom-inline': true, 'data-tag': 'emoji', 'data-code': code })}${emojiCharacters(code) ?? ''}</span>`,
      ),
    ];
  },
  icon(node) {
    const { icon, color } = node.data;
    return [
      html(
        `${openTag('i', { class: `fa-${icon}`, style: color === undefined ? undefined : `color:${color};` })}:${escapeInline(icon)}:</i>`,
      ),
    ];
  },
  expression(node) {
    if (node.data.raw !== undefined) return [html(node.data.raw)];
    return [html(`<code class="expression">${escapeInline(node.data.expression)}</code>`)];
  },
  'inline-math'(node) {
    const { formula } = node.data;
    if (formula !== '' && formula === formula.trim() && !/[$\n\r|]|\\$/.test(formula))
      return [{ type: 'inlineMath', value: formula }];
    return [html(mathElement(formula))];
  },
  'inline-image'(node, writing) {
    const { ref, refDark, caption, alt, size, attributes } = node.data;
    const url = writing.render(ref);
    if (refDark === undefined && size === undefined && attributes === undefined && url !== '') {
      return [{ type: 'image', url, alt: alt ?? '', ...(caption === undefined ? {} : { title: caption }) }];
    }
    const image = openTag('img', { src: url, alt: alt ?? '', title: caption, 'data-size': size, ...attributes });
    if (refDark === undefined) return [html(image)];
    return [
      html(
        `<picture>${openTag('source', { srcset: writing.render(refDark), media: '(prefers-color-scheme: dark)' })}${image}</picture>`,
      ),
    ];
  },
  annotation(node, writing) {
    const label = freeLabel(writing);
    const definition = { type: 'footnoteDefinition' as const, identifier: label, label, children: [] as never[] };
    writing.footnotes.push(definition);
    const body = node.fragments?.[0]?.nodes ?? fragmentNamed(node, 'annotation-body')?.nodes ?? [];
    (definition.children as unknown[]).push(...writing.blocks(body, writing));
    const reference: PhrasingContent = { type: 'footnoteReference', identifier: label, label };
    const children = toPhrasing(node.nodes ?? [], writing);
    if (children.length === 0) return [reference];
    return [{ type: 'link', url: `#user-content-fn-${label}`, children }, reference];
  },
  mention(node, writing) {
    const url = writing.render(node.data.ref);
    const words = node.data.text ?? url;
    if (url === '') return [html(`${openTag('a', { href: url, 'data-mention': true })}${escapeInline(words)}</a>`)];
    return [{ type: 'link', url, title: 'mention', children: [{ type: 'text', value: words }] }];
  },
  button(node, writing) {
    const { label, kind, icon, ref, size, action } = node.data;
    const href = ref === undefined ? undefined : writing.render(ref);
    return [
      html(
        `${openTag('a', { href, class: `button ${kind}`, 'data-icon': icon, 'data-size': size, 'data-action': action?.action, 'data-query': action?.query })}${escapeInline(label)}</a>`,
      ),
    ];
  },
};

function inlineNodes<T extends keyof InlineData>(node: Inline<T>, writing: SerializeContext): PhrasingContent[] {
  return (WRITERS[node.type] as InlineWriter<T>)(node, writing);
}
