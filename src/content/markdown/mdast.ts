import type { Root } from 'mdast';
import { fromMarkdown, type Extension as MdastExtension } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import { emojiFromMarkdown, emojiSyntax } from './emoji.js';
import { tagLineFromMarkdown, tagLineSyntax } from './tag-syntax.js';

/**
 * The readers of GFM without their second pass over the finished text: it would turn `www.x` that
 * was escaped on purpose into a link.
 */
function withoutTransforms(extensions: readonly MdastExtension[]): MdastExtension[] {
  return extensions.map(({ transforms: _transforms, ...extension }) => extension);
}

const SYNTAX = [gfm(), math({ singleDollarTextMath: false }), tagLineSyntax(), emojiSyntax()];
const READERS: MdastExtension[] = [
  ...withoutTransforms(gfmFromMarkdown()),
  mathFromMarkdown(),
  tagLineFromMarkdown(),
  emojiFromMarkdown(),
];

/** Parses Markdown (CommonMark, GFM, `$$` math, `{% %}` tag lines, emoji) into an mdast tree with positions. */
export function readMdast(source: string): Root {
  return fromMarkdown(source, { extensions: SYNTAX, mdastExtensions: READERS });
}
