import type { Block, Document, Fragment, Node } from '../../../formats/document/types.js';

/** Finds a block by its key, at any depth, in fragments and annotations too. */
export function blockWithKey(document: Document, key: string): Block | undefined {
  const open: Node[] = [...document.nodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.object === 'text') continue;
    if (node.object === 'block' && node.key === key) return node;
    open.push(...(node.nodes ?? []), ...(node.fragments ?? []).flatMap((fragment) => fragment.nodes));
  }
  return undefined;
}

/** A copy of the document in which other blocks stand in the place of one. */
export function withBlockReplaced(document: Document, key: string, blocks: readonly Block[]): Document {
  return { ...document, nodes: replaced(document.nodes, key, blocks) as Block[] };
}

function replaced(nodes: readonly Node[], key: string, blocks: readonly Block[]): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (node.object === 'text') return [node];
    if (node.object === 'block' && node.key === key) return [...blocks];
    const inner = {
      ...(node.nodes && { nodes: replaced(node.nodes, key, blocks) }),
      ...(node.fragments && {
        fragments: node.fragments.map((fragment): Fragment => ({
          ...fragment,
          nodes: replaced(fragment.nodes, key, blocks) as Fragment['nodes'],
        })),
      }),
    };
    return [{ ...node, ...inner }];
  });
}
