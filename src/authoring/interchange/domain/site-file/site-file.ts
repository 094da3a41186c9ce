import { isObject } from '../../../../formats/document/checks.js';
import { readYaml } from '../../../../formats/markdown/yaml.js';
import { joinPath, normalizePath } from '../repository-paths.js';

/** The names of the file that describes a whole site, the present one first. */
export const SITE_FILES = ['gitbook-docs.yaml', 'docs.yaml'] as const;

/** Texts by language, for those that are not the default. */
export type LocalizedText = Readonly<Record<string, string>>;

/** The properties of every node of a site; the key names a node from one import to the next. */
interface NodeBase {
  readonly key: string;
  readonly title: string;
  readonly localizedTitle?: LocalizedText;
}

interface Described {
  readonly description?: string;
  readonly localizedDescription?: LocalizedText;
  readonly icon?: string;
  readonly condition?: string;
}

export interface SpaceNode extends NodeBase {
  readonly type: 'space';
  readonly path: string;
  readonly default?: boolean;
  readonly hidden?: boolean;
  readonly draft?: boolean;
  readonly condition?: string;
  readonly content: {
    /** As written: from the folder of the file, or with a slash from the root of the repository; null for content that is not here. */
    readonly directory: string | null;
    readonly language?: string;
  };
}

export interface SectionNode extends NodeBase, Described {
  readonly type: 'section';
  readonly path: string;
  readonly default?: boolean;
  readonly children?: readonly SpaceNode[];
}

export interface ExternalLinkNode extends NodeBase, Described {
  readonly type: 'external-link';
  readonly url: string;
  readonly draft?: boolean;
}

export interface SectionGroupNode extends NodeBase {
  readonly type: 'section-group';
  readonly icon?: string;
  readonly draft?: boolean;
  readonly children?: readonly (SectionGroupNode | SectionNode | ExternalLinkNode)[];
}

export type SiteNode = SectionGroupNode | SectionNode | SpaceNode | ExternalLinkNode;

/** A whole site. */
export interface SiteFile {
  readonly title: string;
  readonly structure: readonly SiteNode[];
}

/** Names a node among all of a site. */
export const siteNodeName = ({ type, key }: SiteNode): string => `${type} ${key}`;

export function childNodesOf(node: SiteNode): readonly SiteNode[] {
  return ('children' in node && node.children) || [];
}

/** A node, and all that are in it. */
export function withDescendants(node: SiteNode): SiteNode[] {
  return [node, ...childNodesOf(node).flatMap(withDescendants)];
}

/** The spaces of a site, in order. */
export function spacesOf(nodes: readonly SiteNode[]): SpaceNode[] {
  return nodes.flatMap((node): SpaceNode[] => {
    if (node.type === 'space') return [node];
    return node.type === 'external-link' ? [] : spacesOf(node.children ?? []);
  });
}

/** The folder that a `content.directory` names, from the root of the repository; undefined for one that leads out of its place. */
export function directoryFrom(siteDirectory: string, written: string): string | undefined {
  if (written.split('/').includes('..')) return undefined;
  return normalizePath(written.startsWith('/') ? written : joinPath(siteDirectory, written));
}

/** Tells whether a YAML describes a site, or is meant to where it cannot be read: another `docs.yaml` may be anything. */
export function describesSite(source: string): boolean {
  try {
    const value = readYaml(source);
    return isObject(value) && isObject(value['site']);
  } catch {
    return /^site\s*:/m.test(source);
  }
}
