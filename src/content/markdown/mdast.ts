import type { Root } from 'mdast';
import { fromMarkdown, type Extension as MdastExtension } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import { RAW_SYNTAX } from '../domain/document/types.js';
import { boundedSyntax, faultOfSource, faultOfTree } from './bounds.js';
import { emojiFromMarkdown, emojiSyntax } from './emoji.js';
import { tagLineFromMarkdown, tagLineSyntax } from './tag-syntax.js';

/**
 * The readers of GFM without their second pass over the finished text: it would turn `www.x` that
 * was escaped on purpose into a link.
 */
function withoutTransforms(extensions: readonly MdastExtension[]): MdastExtension[] {
  return extensions.map(({ transforms: _transforms, ...extension }) => extension);
}

const SYNTAX = [gfm(), math({ singleDollarTextMath: false }), tagLineSyntax(), emojiSyntax(), boundedSyntax()];
const READERS: MdastExtension[] = [
  ...withoutTransforms(gfmFromMarkdown()),
  mathFromMarkdown(),
  tagLineFromMarkdown(),
  emojiFromMarkdown(),
];

/** A tree, or where the source is beyond all bounds one that keeps it word for word, and why. */
export interface ReadTree {
  readonly tree: Root;
  readonly fault?: string;
}

/** Parses Markdown (CommonMark, GFM, `$$` math, `{% %}` tag lines, emoji) into an mdast tree with positions. */
export function readMdast(source: string): Root {
  return readBounded(source).tree;
}

/** The same, telling what was wrong with the source. */
export function readBounded(source: string): ReadTree {
  const tooMuch = faultOfSource(source);
  if (tooMuch !== undefined) return { tree: verbatim(source), fault: tooMuch };
  const tree = fromMarkdown(source, { extensions: SYNTAX, mdastExtensions: READERS });
  const tooDeep = faultOfTree(tree);
  return tooDeep === undefined ? { tree } : { tree: verbatim(source), fault: tooDeep };
}

/** Without the empty lines around it, which it would get when it is written. */
function verbatim(source: string): Root {
  return { type: 'root', children: [{ type: 'code', lang: RAW_SYNTAX, value: source.replace(/^\n+/, '').trimEnd() }] };
}
