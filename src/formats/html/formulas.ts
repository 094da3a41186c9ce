import type { Element, Nodes } from 'hast';
import { sanitize, type Schema } from 'hast-util-sanitize';
import type { KatexOptions } from 'katex';
import { LRUCache } from 'lru-cache';
import { readHtml } from './read-html.js';
import type { Formulas } from './render-context.js';

const MAX_FORMULA = 10_000;
/** Maximum nesting depth of elements; deeper formulas are shown as source. */
const MAX_DEPTH = 120;
/** Their elements take about a hundred times as much memory, in each thread that renders. */
const CACHED_CHARACTERS = 256 * 1024;

const TAGS = [
  'math',
  'semantics',
  'annotation',
  'mrow',
  'mi',
  'mn',
  'mo',
  'ms',
  'mtext',
  'mspace',
  'mfrac',
  'msqrt',
  'mroot',
  'mstyle',
  'mpadded',
  'mphantom',
  'menclose',
  'msub',
  'msup',
  'msubsup',
  'munder',
  'mover',
  'munderover',
  'mmultiscripts',
  'mprescripts',
  'none',
  'mtable',
  'mtr',
  'mlabeledtr',
  'mtd',
];
const ATTRIBUTES = [
  'display',
  'encoding',
  'mathvariant',
  'mathcolor',
  'mathbackground',
  'mathsize',
  'scriptlevel',
  'displaystyle',
  'stretchy',
  'fence',
  'form',
  'separator',
  'symmetric',
  'minsize',
  'maxsize',
  'lspace',
  'rspace',
  'movablelimits',
  'largeop',
  'accent',
  'accentunder',
  'linethickness',
  'notation',
  'rowspacing',
  'columnspacing',
  'columnalign',
  'columnlines',
  'rowlines',
  'rowspan',
  'columnspan',
  'frame',
  'side',
  'width',
  'height',
  'depth',
  'voffset',
  'linebreak',
];
/** MathML Core without anything that loads, links or executes. */
const SCHEMA: Schema = {
  tagNames: TAGS,
  attributes: { '*': ATTRIBUTES },
  ancestors: {},
  protocols: {},
  clobber: [],
  strip: ['script', 'style'],
  required: {},
  clobberPrefix: '',
};

type Render = (formula: string, options: KatexOptions) => string;

const cache = new LRUCache<string, { readonly element: Element | undefined }>({
  maxSize: CACHED_CHARACTERS,
  sizeCalculation: (_, formula) => formula.length + 50,
});

let loading: Promise<Formulas> | undefined;

/** Loads the converter from TeX to MathML when the first page needs it. */
export function loadFormulas(): Promise<Formulas> {
  loading ??= import('katex').then(
    ({ default: katex }) =>
      (formula, isBlock) =>
        cached((source, options) => katex.renderToString(source, options), formula, isBlock),
  );
  return loading;
}

/** Shows formulas as source. */
export const NO_FORMULAS: Formulas = () => undefined;

function cached(render: Render, formula: string, isBlock: boolean): Element | undefined {
  if (formula.length > MAX_FORMULA) return undefined;
  const key = `${isBlock ? 'block' : 'line'} ${formula}`;
  const known = cache.get(key);
  if (known) return known.element;
  const element = mathOf(render, formula, isBlock);
  cache.set(key, { element });
  return element;
}

function mathOf(render: Render, formula: string, isBlock: boolean): Element | undefined {
  let html: string;
  try {
    html = render(formula, {
      output: 'mathml',
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      strict: false,
      maxExpand: 1000,
      maxSize: 50,
    });
  } catch {
    // Not TeX, or nested too deeply to be parsed.
    return undefined;
  }
  const read = readHtml(html, MAX_DEPTH);
  return !read || read.isCut ? undefined : mathIn(sanitize(read.tree, SCHEMA));
}

function mathIn(tree: Nodes): Element | undefined {
  for (const node of 'children' in tree ? tree.children : []) {
    if (node.type !== 'element') continue;
    const found = node.tagName === 'math' ? node : mathIn(node);
    if (found) return found;
  }
  return undefined;
}
