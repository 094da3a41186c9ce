import type { Element, ElementContent } from 'hast';
import { emojiCharacters } from '../markdown/emoji.js';
import type { ContentRef, Inline, InlineType, Leaf, Mark, Node } from '../document/types.js';
import type { DiffRun } from '../document/diff/line-diff.js';
import { onSide, changedWords } from './diff/changed.js';
import { classes, el, linkAttributes, pixelsOf, textNode } from './elements.js';
import { iconElement } from './icons.js';
import { picture } from './pictures.js';
import type { RenderContext } from './render-context.js';

type InlineRenderer<Type extends InlineType> = (node: Inline<Type>, context: RenderContext) => ElementContent[];

/** The elements of a line of text. */
export function renderLine(nodes: readonly Node[] | undefined, context: RenderContext): ElementContent[] {
  const runs = nodes && context.diff?.lines.get(nodes);
  if (runs) return runs.flatMap((each) => runElements(each, context));
  const line: ElementContent[] = [];
  for (const node of nodes ?? []) {
    if (context.progress.left-- <= 0) break;
    if (node.object === 'text') for (const leaf of node.leaves) line.push(...leafOf(leaf));
    else if (node.object === 'inline') line.push(...inlineOf(node, context));
  }
  return line;
}

/** A part of a line of a comparison. */
function runElements({ change, nodes }: DiffRun, context: RenderContext): ElementContent[] {
  return change === 'unchanged'
    ? renderLine(nodes, context)
    : changedWords(change, renderLine(nodes, onSide(change === 'deleted' ? 'before' : 'after', context)));
}

export function inlineOf(node: Inline, context: RenderContext): ElementContent[] {
  return (INLINES[node.type] as InlineRenderer<InlineType>)(node, context);
}

function leafOf({ text, marks }: Leaf): ElementContent[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const content = lines.flatMap((line, index): ElementContent[] => [
    ...(index > 0 ? [el('br', {})] : []),
    ...(line === '' ? [] : [textNode(line)]),
  ]);
  return marked(content, marks);
}

/** Wraps content in marks, the first of them outermost. */
export function marked(content: ElementContent[], marks: readonly Mark[]): ElementContent[] {
  return marks.reduceRight((inside, mark) => [markElement(mark, inside)], content);
}

const MARKS = {
  bold: 'strong',
  italic: 'em',
  code: 'code',
  keyboard: 'kbd',
  strikethrough: 's',
  superscript: 'sup',
  subscript: 'sub',
} as const;

function markElement(mark: Mark, content: ElementContent[]): Element {
  if (mark.type !== 'color') return el(MARKS[mark.type], {}, content);
  const { text, background } = mark.data;
  return el(
    background === 'default' ? 'span' : 'mark',
    { class: classes(colorClass('text', text), colorClass('ground', background)) },
    content,
  );
}

/** The class of a colour, whose name comes from a fixed set. */
export function colorClass(of: 'text' | 'ground', color: string | undefined): string | undefined {
  const name = color?.replace('$', '') ?? 'default';
  return name === 'default' || !/^[a-z]+$/.test(name) ? undefined : `${of}-${name}`;
}

/** A link to the target of a reference if it has one, else its text alone. */
function linked(
  facts: ReturnType<RenderContext['resolver']['link']>,
  properties: { class?: string[] | undefined; title?: string | undefined },
  content: ElementContent[],
  context: RenderContext,
): ElementContent[] {
  const attributes = linkAttributes(facts, context);
  if (attributes) return [el('a', { ...attributes, ...properties }, content)];
  return properties.class ? [el('span', { class: properties.class }, content)] : content;
}

const INLINES: { readonly [Type in InlineType]: InlineRenderer<Type> } = {
  link({ data, nodes }, context) {
    const facts = context.resolver.link(data.ref);
    const inside = { ...context, isLinked: true };
    return linked(
      facts,
      { title: data.title === undefined ? undefined : textNode(data.title).value },
      renderLine(nodes, inside),
      context,
    );
  },
  emoji({ data }) {
    const characters = emojiCharacters(data.code);
    return characters === undefined ? [] : [el('span', { class: 'emoji' }, textNode(characters))];
  },
  icon({ data }, context) {
    const color = colorClass('text', data.color);
    const icon = iconElement(data.icon, context.resolver.iconStyle);
    return [color === undefined ? icon : el('span', { class: color }, icon)];
  },
  // Expressions that remain when a page is rendered have no value: only writers see them. Of markup, line breaks are
  // visible.
  expression({ data }, context) {
    return data.raw === undefined
      ? context.naming === undefined
        ? []
        : [el('code', { class: 'expression' }, textNode(data.expression))]
      : /^<br[\s/>]/i.test(data.raw)
        ? [el('br', {})]
        : /^<wbr[\s/>]/i.test(data.raw)
          ? [el('wbr', {})]
          : [];
  },
  'inline-math'({ data }, context) {
    return [context.formulas(data.formula, false) ?? el('code', { class: 'formula' }, textNode(data.formula))];
  },
  'inline-image'({ data }, context) {
    const shown = picture(
      data,
      {
        alt: data.alt ?? data.caption ?? '',
        width: pixelsOf(numberOf(data.attributes?.['width'])),
        height: pixelsOf(numberOf(data.attributes?.['height'])),
        classes: ['inline-image', data.size === 'line' ? 'line' : undefined],
        room: data.size === 'line' ? 'line' : 1,
      },
      context,
    );
    return shown.length > 0 ? shown : insteadOfImage(data, context);
  },
  annotation({ nodes, fragments }, context) {
    return annotated(renderLine(nodes, context), fragments, context);
  },
  mention({ data }, context) {
    const facts = context.resolver.link(data.ref);
    const named = data.text ?? facts.title ?? facts.href ?? '';
    const isPerson = data.ref.kind === 'user';
    const sign = isPerson || facts.icon === undefined ? [] : [iconElement(facts.icon, context.resolver.iconStyle)];
    if (named === '') return [];
    return linked(
      facts,
      { class: ['mention'] },
      [...sign, textNode(isPerson && !named.startsWith('@') ? `@${named}` : named)],
      context,
    );
  },
  button({ data }, context) {
    const facts = data.ref ? context.resolver.link(data.ref) : searched(data.action, context);
    const icon = data.icon === undefined ? [] : [iconElement(data.icon, context.resolver.iconStyle)];
    return linked(facts, { class: classes('button', data.kind, data.size) }, [...icon, textNode(data.label)], context);
  },
};

/** The substitute for an image that is missing or unsafe: its text, as a link to its address. */
function insteadOfImage(
  { alt, caption, ref }: { alt?: string; caption?: string; ref: ContentRef },
  context: RenderContext,
): ElementContent[] {
  const said = alt ?? caption ?? '';
  return said === '' ? [] : linked(context.resolver.link(ref), {}, [textNode(said)], context);
}

function searched(action: Inline<'button'>['data']['action'], { resolver }: RenderContext): { href?: string } {
  return action && resolver.search !== undefined
    ? { href: `${resolver.search}${encodeURIComponent(action.query ?? '')}` }
    : {};
}

function numberOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,5}(px)?$/.test(value) ? Number.parseInt(value, 10) : undefined;
}

/** Words with a note below the page, and links in both directions; in code the number is excluded from copying. */
export function annotated(
  content: ElementContent[],
  fragments: Inline['fragments'],
  context: RenderContext,
  isCode = false,
): ElementContent[] {
  if (context.isLinked || !fragments || fragments.length === 0) return content;
  const number = context.progress.notes.length + 1;
  context.progress.notes.push({ number, fragments });
  const attributes = { href: `#~note-${number}`, id: `~noted-${number}`, class: 'note-sign', role: 'doc-noteref' };
  const sign = isCode
    ? el('a', {
        ...attributes,
        ariaLabel: textNode(`${context.labels.notes} ${number}`).value,
        dataNote: String(number),
      })
    : el('a', attributes, String(number));
  return [el('span', { class: 'annotation' }, content), el('sup', {}, sign)];
}
