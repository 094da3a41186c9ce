import { freeSlug } from '../../../authoring/content/domain/slug.js';
import {
  directoryFrom,
  withDescendants,
  type ExternalLinkNode,
  type SectionGroupNode,
  type SectionNode,
  type SiteFile,
  type SiteNode,
  type SpaceNode,
} from '../../../authoring/interchange/domain/site-file/site-file.js';

/** Parts that a site has already, each list by id. */
export interface KnownParts {
  readonly groups: readonly { readonly id: string }[];
  readonly sections: readonly { readonly id: string }[];
  readonly links: readonly { readonly id: string }[];
  /** Without a space for one that is in the trash. */
  readonly siteSpaces: readonly { readonly id: string; readonly spaceId: string | null }[];
  /** The keys that parts have in the file that they were imported from, by id. */
  readonly keys: ReadonlyMap<string, string>;
}

interface Keyed {
  readonly id: string;
  readonly key: string;
}

export interface PlannedGroup extends Keyed {
  readonly parentId: string | null;
  readonly title: string;
  readonly icon: string | null;
  readonly draft: boolean;
}

export interface PlannedSection extends Keyed {
  readonly groupId: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly icon: string | null;
  readonly path: string;
  readonly condition: string | null;
  readonly defaultSiteSpaceId: string | null;
}

export interface PlannedLink extends Keyed {
  readonly groupId: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly icon: string | null;
  readonly url: string;
  readonly condition: string | null;
  readonly draft: boolean;
}

export interface PlannedSiteSpace extends Keyed {
  readonly sectionId: string | null;
  readonly spaceId: string;
  readonly path: string;
  readonly condition: string | null;
  readonly draft: boolean;
}

/** A space that the site shows, as the first node that shows it says. */
export interface PlannedSpace {
  readonly id: string;
  readonly key: string;
  readonly isNew: boolean;
  /** The folder of its content; undefined for content that is not in the source. */
  readonly place: string | undefined;
  readonly title: string;
  readonly language: string | undefined;
}

export interface PlanNotice {
  /** The key of the node that it is about. */
  readonly key: string;
  readonly level: 'warning' | 'notice';
  readonly message: string;
}

/** A site as its file says it; all lists are in order, groups before what is in them. */
export interface SitePlan {
  readonly groups: readonly PlannedGroup[];
  readonly sections: readonly PlannedSection[];
  readonly links: readonly PlannedLink[];
  readonly siteSpaces: readonly PlannedSiteSpace[];
  /** The ids of groups, sections and links, which are in one order. */
  readonly order: readonly string[];
  readonly defaultSectionId: string | null;
  /** Null for a site with sections. */
  readonly defaultSiteSpaceId: string | null;
  readonly spaces: readonly PlannedSpace[];
  readonly notices: readonly PlanNotice[];
}

/**
 * Finds for each node of a file the part of the site that it is, by the key of the file or, for a part without one, by its
 * id; all others get new ids. A folder is one space, whichever nodes show it.
 */
export function planSite(file: SiteFile, known: KnownParts, newId: () => string): SitePlan {
  return new SitePlanner(known, newId).plan(file);
}

class SitePlanner {
  private readonly groups: PlannedGroup[] = [];
  private readonly sections: PlannedSection[] = [];
  private readonly links: PlannedLink[] = [];
  private readonly siteSpaces: PlannedSiteSpace[] = [];
  private readonly order: string[] = [];
  private readonly notices: PlanNotice[] = [];
  private readonly spaces = new Map<string, PlannedSpace>();
  private readonly ids: Readonly<Record<SiteNode['type'], ReadonlyMap<string, string>>>;
  private readonly shown: ReadonlyMap<string, string | null>;
  private readonly byFolder = new Map<string, string>();
  private readonly spaceOf = new Map<SpaceNode, string>();
  /** The ids of nodes that are new. */
  private readonly made = new Map<SiteNode, string>();

  constructor(
    known: KnownParts,
    private readonly newId: () => string,
  ) {
    // A key goes before an id that reads the same.
    const named = (parts: readonly { readonly id: string }[]): Map<string, string> =>
      new Map([
        ...parts.flatMap(({ id }) => (known.keys.has(id) ? [] : [[id, id] as const])),
        ...parts.flatMap(({ id }) => (known.keys.has(id) ? [[known.keys.get(id) ?? '', id] as const] : [])),
      ]);
    this.ids = {
      'section-group': named(known.groups),
      section: named(known.sections),
      'external-link': named(known.links),
      space: named(known.siteSpaces),
    };
    this.shown = new Map(known.siteSpaces.map(({ id, spaceId }) => [id, spaceId]));
  }

  plan({ structure }: SiteFile): SitePlan {
    const nodes = structure.flatMap(withDescendants);
    this.findSpaces(nodes.filter((node) => node.type === 'space'));
    const sections = nodes.filter((node) => node.type === 'section');
    const front = sections.find((section) => section.default === true);
    const beside = sections.filter((section) => section !== front).map(({ path }) => path.toLowerCase());
    this.members(structure, null, { front, beside });
    const top = structure.filter((node) => node.type === 'space');
    const defaultSiteSpaceId = this.placeSpaces(top, null, []);
    return {
      groups: this.groups,
      sections: this.sections,
      links: this.links,
      siteSpaces: this.siteSpaces,
      order: this.order,
      defaultSectionId: front ? this.idOf(front) : null,
      defaultSiteSpaceId,
      spaces: [...this.spaces.values()],
      notices: this.notices,
    };
  }

  private idOf(node: SiteNode): string {
    const id = this.ids[node.type].get(node.key) ?? this.made.get(node) ?? this.newId();
    this.made.set(node, id);
    return id;
  }

  /** Nodes that are there already keep their space, so far as each folder has one and each space one folder. */
  private findSpaces(nodes: readonly SpaceNode[]): void {
    const taken = new Set<string>();
    for (const node of nodes) {
      const [place, space] = [placeOf(node), this.shownBy(node)];
      if (space === undefined || place === undefined || this.byFolder.has(place) || taken.has(space)) continue;
      this.byFolder.set(place, space);
      taken.add(space);
    }
    for (const node of nodes) {
      const place = placeOf(node);
      const folder = place === undefined ? undefined : this.byFolder.get(place);
      const kept = place === undefined ? this.shownBy(node) : folder;
      const id = kept ?? this.newId();
      if (place !== undefined) this.byFolder.set(place, id);
      this.spaceOf.set(node, id);
      const { key, title, content } = node;
      const before = this.spaces.get(id);
      if (before !== undefined) {
        if (before.title !== title)
          this.note(node, `the space ${key} shows what ${before.key} shows, and so has its title`);
        continue;
      }
      const isNew = kept === undefined;
      this.spaces.set(id, { id, key, isNew, place, title, language: content.language });
      if (isNew && place === undefined)
        this.note(node, `the content of the space ${key} is not here, so the space is made empty`);
    }
  }

  private shownBy(node: SpaceNode): string | undefined {
    return this.shown.get(this.ids.space.get(node.key) ?? '') ?? undefined;
  }

  private members(
    nodes: readonly SiteNode[],
    parentId: string | null,
    site: { readonly front: SectionNode | undefined; readonly beside: readonly string[] },
  ): void {
    for (const node of nodes) {
      if (node.type === 'space') continue;
      this.order.push(this.idOf(node));
      this.noteTexts(node);
      if (node.type === 'section-group') {
        this.addGroup(node, parentId);
        this.members(node.children ?? [], this.idOf(node), site);
      } else if (node.type === 'section') this.addSection(node, parentId, node === site.front ? site.beside : []);
      else this.addLink(node, parentId);
    }
  }

  private addGroup(node: SectionGroupNode, parentId: string | null): void {
    const { key, title, icon = null, draft = false } = node;
    this.groups.push({ id: this.idOf(node), key, parentId, title, icon, draft });
  }

  private addLink(node: ExternalLinkNode, groupId: string | null): void {
    const { key, title, description = null, icon = null, url, condition = null, draft = false } = node;
    this.links.push({ id: this.idOf(node), key, groupId, title, description, icon, url, condition, draft });
  }

  private addSection(node: SectionNode, groupId: string | null, beside: readonly string[]): void {
    const { key, title, description = null, icon = null, path, condition = null, children = [] } = node;
    const id = this.idOf(node);
    const defaultSiteSpaceId = this.placeSpaces(children, id, beside);
    this.sections.push({ id, key, groupId, title, description, icon, path, condition, defaultSiteSpaceId });
  }

  /**
   * Puts spaces into a section, or the root, and returns the default. `beside` are the paths, in lower case, of sections
   * that lie beside them: the default section has no path of its own.
   */
  private placeSpaces(nodes: readonly SpaceNode[], sectionId: string | null, beside: readonly string[]): string | null {
    const taken = new Set([...beside, ...nodes.map(({ path }) => path.toLowerCase())]);
    for (const node of nodes) {
      const { key, condition = null, draft = false } = node;
      this.noteTexts(node);
      const collides = beside.includes(node.path.toLowerCase());
      const path = collides ? freeSlug(node.path, { has: (slug) => taken.has(slug.toLowerCase()) }) : node.path;
      taken.add(path.toLowerCase());
      if (collides)
        this.note(
          node,
          `the space ${key} of the default section cannot have the path of a section, it becomes ${path}`,
          'warning',
        );
      const spaceId = this.spaceOf.get(node) ?? '';
      this.siteSpaces.push({ id: this.idOf(node), key, sectionId, spaceId, path, condition, draft });
    }
    const chosen = nodes.find((node) => node.default === true);
    return chosen ? this.idOf(chosen) : null;
  }

  /** Texts and flags for which parts of a site have no place. */
  private noteTexts(node: SiteNode): void {
    const name = `${node.type} ${node.key}`;
    if (node.localizedTitle)
      this.note(node, `the \`localizedTitle\` of the ${name} is not kept: it has one title for all languages`);
    if ('localizedDescription' in node && node.localizedDescription)
      this.note(
        node,
        `the \`localizedDescription\` of the ${name} is not kept: it has one description for all languages`,
      );
    if (node.type === 'space' && node.hidden)
      this.note(node, `the \`hidden\` of the ${name} is not kept: readers find it beside the others`);
  }

  private note({ key }: SiteNode, message: string, level: PlanNotice['level'] = 'notice'): void {
    this.notices.push({ key, level, message });
  }
}

function placeOf({ content: { directory } }: SpaceNode): string | undefined {
  return directory === null ? undefined : directoryFrom('', directory);
}
