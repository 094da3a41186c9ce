import { directoryFrom, spacesOf, type SiteFile, type SiteNode } from './site-file.js';

/** A rule that a site breaks, and the key of the node that does. */
export interface SiteFault {
  readonly key: string | undefined;
  readonly message: string;
}

/** The rules between the nodes of a site that it breaks. */
export function faultsOfSite({ structure }: SiteFile): SiteFault[] {
  const nodes = allNodes(structure);
  const sections = nodes.flatMap((node) => (node.type === 'section' ? [node] : []));
  const top = structure.flatMap((node) => (node.type === 'space' ? [node] : []));
  const faults: SiteFault[] = [
    ...repeated(nodes, ({ key }) => key, 'key'),
    ...repeated(sections, ({ path }) => path.toLowerCase(), 'path'),
    ...deepGroups(structure, 0),
  ];
  const inLists = [top, ...sections.map(({ children = [] }) => children)];
  for (const spaces of inLists) faults.push(...repeated(spaces, ({ path }) => path.toLowerCase(), 'path'));
  for (const { key, children = [] } of sections) faults.push(...faultsOfDefault(children, `section ${key}`, key));
  if (sections.length === 0) faults.push(...faultsOfDefault(top, 'site', top[0]?.key));
  else {
    faults.push(...faultsOfDefault(sections, 'site', sections[0]?.key));
    for (const { key } of top)
      faults.push({ key, message: `the space ${key} stands beside sections: it belongs inside of one` });
  }
  if (sections.length === 0) {
    const beside = nodes.filter(({ type }) => type === 'external-link' || (type === 'section-group' && top.length > 0));
    for (const { key, type } of beside) faults.push({ key, message: `the ${type} ${key} needs a site with a section` });
  }
  return [...faults, ...hiddenDefaults(structure, undefined), ...faultsOfLanguages(structure)];
}

function allNodes(nodes: readonly SiteNode[]): SiteNode[] {
  return nodes.flatMap((node) => [node, ...('children' in node ? allNodes(node.children ?? []) : [])]);
}

function repeated<Node extends SiteNode>(
  nodes: readonly Node[],
  valueOf: (node: Node) => string,
  name: string,
): SiteFault[] {
  const seen = new Set<string>();
  return nodes.flatMap((node) => {
    const value = valueOf(node);
    const isTwice = seen.has(value);
    seen.add(value);
    return isTwice ? [{ key: node.key, message: `the ${node.type} ${node.key} has the ${name} of another node` }] : [];
  });
}

/** Groups stand at the root, or in one that does. */
function deepGroups(nodes: readonly SiteNode[], depth: number): SiteFault[] {
  return nodes.flatMap((node): SiteFault[] => {
    if (node.type !== 'section-group') return [];
    if (depth > 1) return [{ key: node.key, message: `the section-group ${node.key} lies too deep: in two others` }];
    return deepGroups(node.children ?? [], depth + 1);
  });
}

function faultsOfDefault(
  nodes: readonly { readonly key: string; readonly default?: boolean; readonly draft?: boolean }[],
  of: string,
  key: string | undefined,
): SiteFault[] {
  const chosen = nodes.filter((node) => node.default === true);
  if (nodes.length > 0 && chosen.length !== 1)
    return [
      {
        key: chosen[1]?.key ?? key,
        message: `the ${of} has ${chosen.length} defaults among its ${nodes.length}, not one`,
      },
    ];
  return chosen.flatMap((node) =>
    node.draft === true ? [{ key: node.key, message: `the default ${node.key} is a draft` }] : [],
  );
}

/** Default sections in groups that are drafts: readers would find nothing at the root of the site. */
function hiddenDefaults(nodes: readonly SiteNode[], draft: string | undefined): SiteFault[] {
  return nodes.flatMap((node): SiteFault[] => {
    if (node.type === 'section-group')
      return hiddenDefaults(node.children ?? [], draft ?? (node.draft === true ? node.key : undefined));
    return node.type === 'section' && node.default === true && draft !== undefined
      ? [{ key: node.key, message: `the default ${node.key} stands in the section-group ${draft}, which is a draft` }]
      : [];
  });
}

/** A folder is read once, so it has one language. */
function faultsOfLanguages(structure: readonly SiteNode[]): SiteFault[] {
  const languages = new Map<string, string | undefined>();
  return spacesOf(structure).flatMap(({ key, content: { directory, language } }) => {
    const place = directory === null ? undefined : directoryFrom('', directory);
    if (place === undefined) return [];
    if (!languages.has(place)) languages.set(place, language);
    return languages.get(place) === language
      ? []
      : [{ key, message: `the space ${key} gives the folder ${place} a second language` }];
  });
}
