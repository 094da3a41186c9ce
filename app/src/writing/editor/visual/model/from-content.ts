import { Fragment, type Node } from 'prosemirror-model';
import { attributesOf, ownFields } from './block-frame.js';
import { canonical } from './canonical.js';
import type { ContentBlock, ContentDocument, ContentFragment, ContentNode } from './content.js';
import { lineNodes, normalLine } from './lines.js';
import type { Originals } from './originals.js';
import { nodeName, schema, typeNamed } from './schema.js';
import { tableNode } from './tables.js';
import { blockWithin } from './to-content.js';

/** The document as the editor shows it; `originals` receives its blocks. */
export function editorDocument({ nodes }: ContentDocument, originals: Originals): Node {
  return typeNamed('doc').create(null, new BlockReading(originals).blocks(nodes));
}

/** Blocks that come into a document that is open, such as those that were pasted. */
export function editorBlocks(blocks: readonly ContentBlock[], originals: Originals): Fragment {
  return Fragment.from(new BlockReading(originals).blocks(blocks));
}

/** A paragraph where a block has no blocks, in which one can begin to write. */
function filler(): Node {
  return typeNamed('paragraph').create({ isFiller: true });
}

/** Makes nodes of blocks. A block that the schema cannot say exactly becomes an atom, which keeps it whole. */
class BlockReading {
  constructor(private readonly originals: Originals) {}

  blocks(blocks: readonly ContentBlock[]): Node[] {
    return blocks.length === 0 ? [filler()] : blocks.map((block) => this.block(block));
  }

  private block(block: ContentBlock): Node {
    const node = this.exactNode(block) ?? atomOf(block);
    this.originals.remember(node, block);
    return node;
  }

  /** The node that says all that the block says, without doubt. */
  private exactNode(block: ContentBlock): Node | undefined {
    try {
      const node = this.node(block);
      // Blocks below it were compared already.
      node.check();
      return canonical(normalBlock(blockWithin(node, this.originals))) === canonical(normalBlock(block))
        ? node
        : undefined;
    } catch {
      // A form of a block that is not foreseen here is kept whole, too: the page opens in any case.
      return undefined;
    }
  }

  private node(block: ContentBlock): Node {
    const { type, nodes = [] } = block;
    if (/^heading-[123]$/.test(type)) return headingNode(block);
    if (type === 'paragraph') return typeNamed(type).create(attributesOf(block), lineNodes(nodes));
    if (type === 'code-line') return typeNamed(type).create(attributesOf(block), lineNodes(nodes, false));
    if (type === 'table') return tableNode(block, (blocks) => this.blocks(blocks));
    if (type === 'expandable') return this.expandable(block);
    if (type === 'image') return this.image(block);
    const known = schema.nodes[nodeName(type)];
    if (!known || known.isLeaf || known.isInline) throw new RangeError(`the schema has no block ${type}`);
    const inside = blocksOf(nodes);
    return known.create(attributesOf(block), inside.length === 0 ? filler() : inside.map((each) => this.block(each)));
  }

  private expandable(block: ContentBlock): Node {
    const [title, body, ...more] = block.fragments ?? [];
    if (!title || !body || more.length > 0) throw new RangeError('an expandable has a title and a body');
    return typeNamed('expandable').create(attributesOf(block), [
      this.fragmentLine('expandable_title', title),
      typeNamed('expandable_body').create({ fragment: fieldsOfFragment(body) }, this.blocks(body.nodes)),
    ]);
  }

  private image(block: ContentBlock): Node {
    const [caption, ...more] = block.fragments ?? [];
    if (more.length > 0) throw new RangeError('an image has one caption');
    const line = caption ? this.fragmentLine('caption', caption) : typeNamed('caption').create();
    return typeNamed('image').create(attributesOf(block), line);
  }

  /** The one paragraph of a fragment as a line. */
  private fragmentLine(type: string, fragment: ContentFragment): Node {
    const [paragraph, ...more] = fragment.nodes;
    if (paragraph?.type !== 'paragraph' || more.length > 0) throw new RangeError('the fragment is not one paragraph');
    const attributes = { ...attributesOf(paragraph), fragment: fieldsOfFragment(fragment) };
    return typeNamed(type).create(attributes, lineNodes(paragraph.nodes ?? []));
  }
}

function headingNode(block: ContentBlock): Node {
  const { level: given, ...data } = block.data ?? {};
  const level = Number(given ?? block.type.at(-1));
  return typeNamed('heading').create({ ...attributesOf({ ...block, data }), level }, lineNodes(block.nodes ?? []));
}

function atomOf(block: ContentBlock): Node {
  const { key = null, ...rest } = block;
  return typeNamed('block_atom').create({ key, block: rest });
}

/** The fields of a fragment that has more of them than its name and type. */
function fieldsOfFragment(fragment: ContentFragment): Omit<ContentFragment, 'nodes'> | null {
  const { nodes: _nodes, ...rest } = fragment;
  return rest.key === undefined && Object.keys(rest).length <= (rest.type === undefined ? 2 : 3) ? null : rest;
}

function blocksOf(nodes: readonly ContentNode[]): ContentBlock[] {
  return nodes.map((node) => {
    if (node.object !== 'block') throw new RangeError('a line stands beside blocks');
    return node;
  });
}

/** Tells whether the nodes of a block are a line. */
const LINES: ReadonlySet<string> = new Set(['paragraph', 'heading-1', 'heading-2', 'heading-3', 'code-line']);

/** A block in the one form that equal blocks have: as services complete them, and with the one form of its line. */
function normalBlock({ nodes, fragments = [], data = {}, ...block }: ContentBlock): ContentBlock {
  const { object, type, key, isVoid } = block;
  return {
    ...{ object, type, data },
    ...(key !== undefined && { key }),
    ...(isVoid !== undefined && { isVoid }),
    ...ownFields(block),
    ...(nodes && { nodes: LINES.has(block.type) ? normalLine(nodes) : nodes }),
    ...(fragments.length > 0 && { fragments: fragments.map(normalFragment).sort(byName) }),
  };
}

function byName({ fragment: one = '' }: ContentFragment, { fragment: other = '' }: ContentFragment): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function normalFragment(fragment: ContentFragment): ContentFragment {
  return {
    ...fragment,
    nodes: fragment.nodes.map((block) => (block.type === 'paragraph' ? normalBlock(block) : block)),
  };
}
