import {
  defaultTreeAdapter,
  parse,
  parseFragment,
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  type TreeAdapter,
} from 'parse5';

type ParentNode = DefaultTreeAdapterTypes.ParentNode;

/**
 * Limits of nodes and attributes: a base for every source, and an allowance for each of its characters, which short
 * elements with short texts need.
 */
const NODES = 1_000;
const NODES_PER_CHARACTER = 0.5;
/** Maximum nesting depth of elements while a source is parsed; far more than any tree keeps. */
const MAX_OPEN_ELEMENTS = 100_000;
/** Maximum number of open elements such as `b` and `font`: a parser reopens all of them in each block. */
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

/** Thrown by the parser for HTML whose tree is disproportionate to its length. */
export class TooMuchHtml extends Error {
  constructor() {
    super('its elements stand within each other too often, or are not closed');
  }
}

export interface HtmlTree<Tree extends ParentNode> {
  readonly tree: Tree;
  /** True if elements beyond the requested depth were cut off. */
  readonly isCut: boolean;
}

/**
 * Parses a fragment of HTML to a tree of limited depth, in time and memory proportional to its length; undefined if the
 * tree would be larger. Nodes know their places in the source if they are `placed`.
 */
export function readHtmlFragment(
  source: string,
  maxDepth: number,
  placed = false,
): HtmlTree<DefaultTreeAdapterTypes.DocumentFragment> | undefined {
  const read = { treeAdapter: countingAdapter(source.length), sourceCodeLocationInfo: placed };
  return bounded(() => parseFragment(source, read), maxDepth);
}

/** Parses a page of HTML as `readHtmlFragment` parses a fragment. */
export function readHtmlPage(
  source: string,
  maxDepth: number,
  placed = false,
): HtmlTree<DefaultTreeAdapterTypes.Document> | undefined {
  const read = { treeAdapter: countingAdapter(source.length), sourceCodeLocationInfo: placed };
  return bounded(() => parse(source, read), maxDepth);
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
 * Counts the nodes that the parser creates and keeps open. The parser reopens formatting elements in every block that
 * begins while they are open
 * (https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements), with all of their
 * attributes, so without a limit the tree grows with the square of the source.
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

/** Cuts off nodes beyond a depth, because tree algorithms recurse; tells whether there were any. */
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

/** The child elements of a node; those of a template are in its content. */
function elementsIn(node: ParentNode): (DefaultTreeAdapterTypes.Element | DefaultTreeAdapterTypes.Template)[] {
  const inside = 'content' in node ? [...node.childNodes, ...node.content.childNodes] : node.childNodes;
  return inside.filter((child): child is DefaultTreeAdapterTypes.Element => 'childNodes' in child);
}
