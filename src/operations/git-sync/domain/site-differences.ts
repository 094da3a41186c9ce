import {
  childNodesOf,
  directoryFrom,
  siteNodeName,
  withDescendants,
  type SiteFile,
  type SiteNode,
  type SpaceNode,
} from '../../../authoring/interchange/domain/site-file/site-file.js';

/** A node of a site that one file has and another one lacks, or has in another way. */
export interface NodeDifference {
  readonly type: SiteNode['type'];
  readonly key: string;
  readonly title: string;
  readonly change: 'add' | 'change' | 'remove';
}

/** The file of a site with the values of a former one that sites do not keep, node by node. */
export function withKeptValues(own: SiteFile, former: SiteFile): SiteFile {
  const known = new Map(former.structure.flatMap(withDescendants).map((node) => [siteNodeName(node), node]));
  const keep = <Node extends SiteNode>(node: Node): Node => {
    const before = known.get(siteNodeName(node));
    const children = 'children' in node && node.children ? { children: node.children.map((each) => keep(each)) } : {};
    const content = node.type === 'space' && before?.type === 'space' ? { content: keptContent(node, before) } : {};
    return { ...node, ...unkept(before), ...content, ...children };
  };
  return { ...own, structure: own.structure.map((node) => keep(node)) };
}

/** The nodes by which a file differs from another one, in their order; those that only have another place are changed as well. */
export function nodeDifferences(now: SiteFile, next: SiteFile): NodeDifference[] {
  const [before, after] = [placedNodes(now), placedNodes(next)];
  const told = ({ type, key, title }: SiteNode, change: NodeDifference['change']) => ({ type, key, title, change });
  return [
    ...[...after].flatMap(([name, { node, facts }]) => {
      const known = before.get(name);
      if (!known) return [told(node, 'add')];
      return known.facts === facts ? [] : [told(node, 'change')];
    }),
    ...[...before].flatMap(([name, { node }]) => (after.has(name) ? [] : [told(node, 'remove')])),
  ];
}

interface PlacedNode {
  readonly node: SiteNode;
  /** All that it says, with the node that it stands in. */
  readonly facts: string;
}

function placedNodes({ structure }: SiteFile): Map<string, PlacedNode> {
  const found = new Map<string, PlacedNode>();
  const add = (nodes: readonly SiteNode[], parent: string): void => {
    for (const node of nodes) {
      const values = Object.entries(node).filter(([name]) => name !== 'children');
      found.set(siteNodeName(node), {
        node,
        facts: JSON.stringify([parent, values.sort(([a], [b]) => (a < b ? -1 : 1))]),
      });
      add(childNodesOf(node), siteNodeName(node));
    }
  };
  add(structure, '');
  return found;
}

function unkept(node: SiteNode | undefined): Partial<Pick<SpaceNode, 'localizedTitle' | 'hidden'>> {
  if (!node) return {};
  return {
    ...(node.localizedTitle && { localizedTitle: node.localizedTitle }),
    ...('localizedDescription' in node &&
      node.localizedDescription && { localizedDescription: node.localizedDescription }),
    ...(node.type === 'space' && node.hidden === true && { hidden: true }),
  };
}

/** A folder is named as before where it is the same one, and that of content which is not here is left alone. */
function keptContent({ content }: SpaceNode, { content: before }: SpaceNode): SpaceNode['content'] {
  const [now, then] = [content.directory, before.directory];
  const isSame = now === null || (then !== null && directoryFrom('', now) === directoryFrom('', then));
  return isSame ? { ...content, directory: then } : content;
}
