import {
  defaultTreeAdapter,
  parse,
  parseFragment,
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  type TreeAdapter,
} from 'parse5';

type ParentNode = DefaultTreeAdapterTypes.ParentNode;

/** Nodes and attributes that every source may have, and those that it may have for each of its characters: short elements with short texts have as many. */
const NODES = 1_000;
const NODES_PER_CHARACTER = 0.5;
/** Elements within each other while a source is read; far more than any tree keeps. */
const MAX_OPEN_ELEMENTS = 100_000;
/** Elements such as `b` and `font` that are open at once: a parser opens all of them again in each block. */
const MAX_OPEN_FORMATTING = 20_000;
/** The formatting elements of https://html.spec.whatwg.org/multipage/parsing.html#formatting */
const FORMATTING = new Set([
  'a',
  'b',
  'big',
  'code',
  'em',
  'font',
  'i',
  'nobr',
  's',
  'small',
  'strike',
  'strong',
  'tt',
  'u',
]);

/** Thrown out of the parser by HTML that makes a tree out of all proportion to its length. */
export class TooMuchHtml extends Error {
  constructor() {
    super('its elements stand within each other too often, or are not closed');
  }
}

export interface HtmlTree<Tree extends ParentNode> {
  readonly tree: Tree;
  /** Whether elements deeper than the levels asked for were there; they are cut off. */
  readonly isCut: boolean;
}

/** Reads a fragment of HTML into a tree of at most so many levels, in time and memory that grow with its length only; undefined where the tree would not. */
export function readHtmlFragment(
  source: string,
  maxDepth: number,
): HtmlTree<DefaultTreeAdapterTypes.DocumentFragment> | undefined {
  return bounded(() => parseFragment(source, { treeAdapter: countingAdapter(source.length) }), maxDepth);
}

/** Reads a page of HTML as `readHtmlFragment` reads a part of one. */
export function readHtmlPage(source: string, maxDepth: number): HtmlTree<DefaultTreeAdapterTypes.Document> | undefined {
  return bounded(() => parse(source, { treeAdapter: countingAdapter(source.length) }), maxDepth);
}

function bounded<Tree extends ParentNode>(read: () => Tree, maxDepth: number): HtmlTree<Tree> | undefined {
  try {
    const tree = read();
    return { tree, isCut: cut(tree, maxDepth) };
  } catch (error) {
    if (error instanceof TooMuchHtml) return undefined;
    throw error;
  }
}

/**
 * Counts what the parser makes and keeps open. It opens formatting elements again in every block that begins while they are
 * open (https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements), with all of their
 * attributes, so without a bound the tree grows with the square of the source.
 */
function countingAdapter(length: number): TreeAdapter<DefaultTreeAdapterMap> {
  let left = NODES + length * NODES_PER_CHARACTER;
  let open = 0;
  let formatting = 0;
  const spend = (nodes: number): void => {
    left -= nodes;
    if (left < 0) throw new TooMuchHtml();
  };
  return {
    ...defaultTreeAdapter,
    createElement: (tagName, namespace, attributes) => {
      spend(1 + attributes.length);
      return defaultTreeAdapter.createElement(tagName, namespace, attributes);
    },
    createTextNode: (value) => {
      spend(1);
      return defaultTreeAdapter.createTextNode(value);
    },
    createCommentNode: (data) => {
      spend(1);
      return defaultTreeAdapter.createCommentNode(data);
    },
    onItemPush: ({ tagName }) => {
      if (FORMATTING.has(tagName)) formatting++;
      if (++open > MAX_OPEN_ELEMENTS || formatting > MAX_OPEN_FORMATTING) throw new TooMuchHtml();
    },
    onItemPop: ({ tagName }) => {
      if (FORMATTING.has(tagName)) formatting--;
      open--;
    },
  };
}

/** Cuts off what is deeper than so many levels, as all that works on trees goes down into them; tells whether there was any. */
function cut(tree: ParentNode, maxDepth: number): boolean {
  let level: ParentNode[] = [tree];
  for (let depth = 1; level.length > 0; depth++) {
    const below = level.flatMap(elementsIn);
    if (depth < maxDepth) {
      level = below;
      continue;
    }
    for (const node of below) {
      node.childNodes = [];
      if ('content' in node) node.content.childNodes = [];
    }
    return below.length > 0;
  }
  return false;
}

/** The elements right below a node; a template has them in its content. */
function elementsIn(node: ParentNode): (DefaultTreeAdapterTypes.Element | DefaultTreeAdapterTypes.Template)[] {
  const inside = 'content' in node ? [...node.childNodes, ...node.content.childNodes] : node.childNodes;
  return inside.filter((child): child is DefaultTreeAdapterTypes.Element => 'childNodes' in child);
}
