import { FreeNames } from '../../authoring/content/domain/free-names.js';
import {
  SITE_FILES,
  type ExternalLinkNode,
  type SectionGroupNode,
  type SectionNode,
  type SiteFile,
  type SiteNode,
  type SpaceNode,
} from '../../authoring/interchange/domain/site-file/site-file.js';
import { joinPath } from '../../authoring/interchange/domain/repository-paths.js';
import { numberedSlug } from '../../authoring/content/domain/slug.js';
import type { ExternalLinkRow } from './external-links.schema.js';
import type { SectionGroupRow, SiteSectionRow, SiteSpaceRow, StructureRows } from './structure.schema.js';
import { arrange, type StructureTree } from './domain/structure.js';

/** A site as a file, with the folder of each space in it. */
export interface DescribedSite {
  readonly file: SiteFile;
  /** The folders of spaces, by id. */
  readonly folders: ReadonlyMap<string, string>;
  /** Parts that the file cannot say, by their title. */
  readonly problems: readonly { readonly page: string; readonly message: string }[];
}

type Branch = StructureTree<SectionGroupRow, SiteSectionRow, ExternalLinkRow>;

/** Groups stand at the root, or in one that does. */
const MAX_DEPTH = 2;

/**
 * Describes a site as a file; nodes have the keys of the file that they were imported from, by id, or else their ids. `placed` are
 * folders that spaces have already, by id; undefined for those whose content is elsewhere.
 */
export function siteFileOf(
  title: string,
  rows: StructureRows,
  keys: ReadonlyMap<string, string>,
  placed: ReadonlyMap<string, string | undefined> = new Map(),
): DescribedSite {
  return new SiteDescription(rows, keys, placed).describe(title);
}

class SiteDescription {
  private readonly folders = new Map<string, string>();
  private readonly problems: { page: string; message: string }[] = [];
  private readonly names = new FreeNames([...SITE_FILES, 'node_modules'], (name) => name.toLowerCase());

  private readonly keys: FreeNames;

  constructor(
    private readonly rows: StructureRows,
    private readonly given: ReadonlyMap<string, string>,
    private readonly placed: ReadonlyMap<string, string | undefined>,
  ) {
    this.keys = new FreeNames(given.values());
    for (const folder of placed.values()) if (folder !== undefined) this.names.add(folder);
  }

  describe(title: string): DescribedSite {
    const { sections } = this.rows;
    const structure: SiteNode[] =
      sections.length === 0 ? this.spaces(null, '') : this.members(arrange(this.rows, null), 0);
    return { file: { title, structure }, folders: this.folders, problems: this.problems };
  }

  private members(branches: readonly Branch[], depth: number): Exclude<SiteNode, SpaceNode>[] {
    return branches.flatMap((branch): Exclude<SiteNode, SpaceNode>[] => {
      if ('link' in branch) return [this.link(branch.link)];
      if ('section' in branch) return [this.section(branch.section)];
      const { group, children } = branch;
      if (depth < MAX_DEPTH) return [this.group(group, this.members(children, depth + 1))];
      this.lack(group.title, 'the group stands in two others, so what is in it stands beside it');
      return this.members(children, depth);
    });
  }

  private key(id: string): string {
    return this.given.get(id) ?? this.keys.take((number) => (number === 0 ? id : `${id}-${number}`));
  }

  private group(
    { id, title, icon, draft }: SectionGroupRow,
    children: Exclude<SiteNode, SpaceNode>[],
  ): SectionGroupNode {
    return {
      type: 'section-group',
      key: this.key(id),
      title,
      ...given({ icon, draft }),
      ...(children.length > 0 && { children }),
    };
  }

  private section(row: SiteSectionRow): SectionNode {
    const { id, title, path, description, icon, condition, isDefault, draft } = row;
    if (draft) this.lack(title, 'the section is a draft, which the file cannot say');
    const children = this.spaces(id, path);
    return {
      type: 'section',
      key: this.key(id),
      title,
      path,
      ...given({ description, icon, condition, default: isDefault }),
      ...(children.length > 0 && { children }),
    };
  }

  private link({ id, title, url, description, icon, condition, draft }: ExternalLinkRow): ExternalLinkNode {
    return { type: 'external-link', key: this.key(id), title, url, ...given({ description, icon, condition, draft }) };
  }

  /** The spaces of a section, or of the root; one of them is the default. */
  private spaces(sectionId: string | null, below: string): SpaceNode[] {
    const placed = this.rows.siteSpaces.filter((row) => row.sectionId === sectionId && row.deletedAt === null);
    const chosen = placed.find(({ isDefault }) => isDefault) ?? placed.find(({ draft }) => !draft);
    return placed.map((row) => this.space(row, below, row === chosen));
  }

  private space(row: SiteSpaceRow, below: string, isDefault: boolean): SpaceNode {
    const { id, siteSpaceId, siteSpacePath, title, condition, draft, language } = row;
    const wanted = joinPath(below, siteSpacePath);
    const known = this.placed.has(id) ? this.placed.get(id) : this.folders.get(id);
    const isElsewhere = this.placed.has(id) && known === undefined;
    const folder = isElsewhere ? undefined : (known ?? this.names.take((number) => numberedSlug(wanted, number)));
    if (folder !== undefined) this.folders.set(id, folder);
    return {
      type: 'space',
      key: this.key(siteSpaceId),
      title,
      path: siteSpacePath,
      ...given({ default: isDefault, draft, condition }),
      content: { directory: folder === undefined ? null : `./${folder}`, ...given({ language }) },
    };
  }

  private lack(page: string, message: string): void {
    this.problems.push({ page, message });
  }
}

/** Values that are there: neither null nor false. */
function given<Values extends object>(
  values: Values,
): { [Key in keyof Values]?: Exclude<Values[Key], null | false | undefined> } {
  const there = (Object.entries(values) as [string, unknown][]).filter(
    ([, value]) => value !== null && value !== false && value !== undefined,
  );
  return Object.fromEntries(there) as { [Key in keyof Values]?: Exclude<Values[Key], null | false | undefined> };
}
