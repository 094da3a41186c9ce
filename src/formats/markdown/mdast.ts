import type { Root } from 'mdast';
import { fromMarkdown, type Extension as MdastExtension } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import type { Extension } from 'micromark-util-types';
import { RAW_SYNTAX } from '../document/types.js';
import {
  PAGE_PARSE_LIMITS,
  boundedSyntax,
  markdownFault,
  faultOfTree,
  hasManyAddresses,
  TooMuchWork,
  type ParseLimits,
} from './parse-limits.js';
import { emojiFromMarkdown, emojiSyntax } from './emoji.js';
import { htmlSyntax } from './html-syntax.js';
import { readNative } from './native-mdast.js';
import { setextHeadingSyntax } from './setext-headings.js';
import { tagLineFromMarkdown, tagLineSyntax } from './tag-syntax.js';

/**
 * The GFM extensions without their second pass over the finished text: it would turn an escaped `www.x` into a link.
 */
function withoutTransforms(extensions: readonly MdastExtension[]): MdastExtension[] {
  return extensions.map(({ transforms: _transforms, ...extension }) => extension);
}

const GFM = gfm();
/** E-mail addresses are searched for at every word, which is most of the cost of parsing plain text. */
const GFM_WITHOUT_EMAIL = gfmWithout('emailAutolink');
const GFM_WITHOUT_ADDRESSES = gfmWithout('emailAutolink', 'protocolAutolink', 'wwwAutolink');

function gfmWithout(...names: readonly string[]): Extension {
  const text = Object.entries(GFM.text ?? {}).map(([code, constructs]) => [
    code,
    [constructs ?? []].flat().filter(({ name }) => !names.includes(name ?? '')),
  ]);
  return { ...GFM, text: Object.fromEntries(text) as Extension['text'] };
}

const SYNTAX = [
  math({ singleDollarTextMath: false }),
  tagLineSyntax(),
  emojiSyntax(),
  setextHeadingSyntax(),
  htmlSyntax(),
];
const READERS: MdastExtension[] = [
  ...withoutTransforms(gfmFromMarkdown()),
  mathFromMarkdown(),
  tagLineFromMarkdown(),
  emojiFromMarkdown(),
];

function gfmFor(source: string, bounds: ParseLimits): Extension {
  if (hasManyAddresses(source, bounds)) return GFM_WITHOUT_ADDRESSES;
  return source.includes('@') ? GFM : GFM_WITHOUT_EMAIL;
}

/** A tree; for a source that exceeds the limits a tree that keeps it verbatim, and the reason. */
export interface ReadTree {
  readonly tree: Root;
  readonly fault?: string;
}

/** Parses Markdown (CommonMark, GFM, `$$` math, `{% %}` tag lines, emoji) into an mdast tree with positions. */
export function readMdast(source: string): Root {
  return readBounded(source).tree;
}

/** Parses like `readMdast`, and returns the fault of the source. */
export function readBounded(source: string, bounds = PAGE_PARSE_LIMITS): ReadTree {
  const tooMuch = markdownFault(source);
  if (tooMuch !== undefined) return { tree: verbatim(source), fault: tooMuch };
  try {
    const tree = readNative(source, bounds) ?? readExtended(source, bounds);
    const tooDeep = faultOfTree(tree);
    return tooDeep === undefined ? { tree } : { tree: verbatim(source), fault: tooDeep };
  } catch (error) {
    if (error instanceof TooMuchWork) return { tree: verbatim(source), fault: error.message };
    throw error;
  }
}

/** The tree of the parser that has all our constructs, and stops at the limits. Throws `TooMuchWork`. */
export function readExtended(source: string, bounds: ParseLimits): Root {
  return fromMarkdown(source, {
    extensions: [gfmFor(source, bounds), ...SYNTAX, boundedSyntax(bounds)],
    mdastExtensions: READERS,
  });
}

/** Without surrounding empty lines, which are added when it is written. */
function verbatim(source: string): Root {
  return { type: 'root', children: [{ type: 'code', lang: RAW_SYNTAX, value: source.replace(/^\n+/, '').trimEnd() }] };
}
