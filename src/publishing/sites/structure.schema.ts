import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Condition, Flag, Id, Nested, ObjectName, OneOf, Text, Url } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { versioned } from '../../kernel/common/versioned.js';
import { presentSpace, SpaceBody, type SpaceForCaller } from '../../workspace/spaces/spaces.schema.js';
import { arrange, type StructureTree } from './domain/structure.js';
import { presentExternalLink, SiteExternalLinkBody, type ExternalLinkRow } from './external-links.schema.js';
import { CONDITION, ICON } from './structure-fields.js';

class PublishedUrls {
  @Url({ optional: true })
  published?: string;
}

const DRAFT = {
  example: false,
  description: 'Not live: readers find neither it nor what is in it, at no address, in no search and in no list',
} as const;

export class SiteSpaceBody {
  @ObjectName('site-space')
  object: 'site-space';
  @Id()
  id: string;
  @Text({ description: 'Path below its section or site; not part of the address of a default', example: 'handbook' })
  path: string;
  @Id({ optional: true })
  section?: string;
  @Nested(() => SpaceBody)
  space: SpaceBody;
  @Text({ example: 'Handbook' })
  title: string;
  @Flag({ description: 'Served at the root of its section, or of a site without sections' })
  default: boolean;
  @Text({ optional: true, example: 'visitor.claims.isBetaUser' })
  condition?: string;
  @Flag(DRAFT)
  draft: boolean;
  @Flag()
  hasAdvancedCustomizationFeature: boolean;
  @Nested(() => PublishedUrls)
  urls: PublishedUrls;
}

export class SiteSectionBody {
  @ObjectName('site-section')
  object: 'site-section';
  @Id()
  id: string;
  @Text({ example: 'Guides' })
  title: string;
  @Text({ optional: true, example: 'How to get things done' })
  description?: string;
  @Flag({ description: 'Served at the root of the site' })
  default: boolean;
  @Flag(DRAFT)
  draft: boolean;
  @Text({ description: 'Path below the site; not part of the address of the default', example: 'guides' })
  path: string;
  @Text({ optional: true, example: 'visitor.claims.isBetaUser' })
  condition?: string;
  @Id({ optional: true })
  sectionGroup?: string;
  @Nested(() => SiteSpaceBody, { list: true })
  siteSpaces: SiteSpaceBody[];
  @Nested(() => PublishedUrls)
  urls: PublishedUrls;
  @Text({ optional: true, example: 'gear' })
  icon?: string;
}

const MEMBER = {
  oneOf: [
    { $ref: getSchemaPath(SiteSectionBody) },
    { $ref: getSchemaPath('SiteSectionGroupBody') },
    { $ref: getSchemaPath(SiteExternalLinkBody) },
  ],
};

@ApiExtraModels(SiteSectionBody, SiteExternalLinkBody)
export class SiteSectionGroupBody {
  @ObjectName('site-section-group')
  object: 'site-section-group';
  @Id()
  id: string;
  @Text({ example: 'Products' })
  title: string;
  @Flag(DRAFT)
  draft: boolean;
  @Id({ optional: true, description: 'The group that this one is in' })
  sectionGroup?: string;
  @Text({ optional: true, example: 'gear' })
  icon?: string;
  @ApiProperty({ type: 'array', items: MEMBER, description: 'Sections, groups and links, in order' })
  children: StructureMemberBody[];
  @ApiProperty({
    type: () => SiteSectionBody,
    isArray: true,
    deprecated: true,
    description: 'The sections among the children',
  })
  sections: SiteSectionBody[];
}

type StructureMemberBody = SiteSectionBody | SiteSectionGroupBody | SiteExternalLinkBody;

@ApiExtraModels(SiteSectionBody, SiteSectionGroupBody, SiteExternalLinkBody, SiteSpaceBody)
export class SiteStructureBody {
  @OneOf(['sections', 'siteSpaces'])
  type: 'sections' | 'siteSpaces';
  @ApiProperty({
    type: 'array',
    description: 'Sections, groups of sections and links elsewhere, or the site spaces of a site without sections',
    items: {
      oneOf: [SiteSectionBody, SiteSectionGroupBody, SiteExternalLinkBody, SiteSpaceBody].map((body) => ({
        $ref: getSchemaPath(body),
      })),
    },
  })
  structure: StructureMemberBody[] | SiteSpaceBody[];
}

export class ShareKeyQuery {
  @Text({ optional: true, max: 200, description: 'Selects the published addresses that are shown; it grants nothing' })
  shareKey?: string;
}

export class SectionsQuery extends PageQuery {
  @Text({ optional: true, max: 200, description: 'Selects the published addresses that are shown; it grants nothing' })
  shareKey?: string;
}

export class SiteSpacesQuery extends SectionsQuery {
  @Flag({
    optional: true,
    query: true,
    description: 'True: only defaults, that is the one of the site or of each section; false: only the others',
  })
  default?: boolean;
}

export class AddSection {
  @Id({ description: 'A space that the caller administers; it becomes the first site space of the section' })
  spaceId: string;
  @Text({
    optional: true,
    nullable: true,
    min: 2,
    max: 128,
    description: "The space's title when omitted",
    example: 'Guides',
  })
  title?: string | null;
  @Text({ ...ICON, optional: true, nullable: true })
  icon?: string | null;
  @Flag({ ...DRAFT, optional: true, default: false })
  draft?: boolean;
}

export class UpdateSection {
  @Text({ optional: true, min: 2, max: 128, example: 'Guides' })
  title?: string;
  @Text({ optional: true, min: 1, max: 100, example: 'guides' })
  path?: string;
  @Id({ optional: true, description: 'A site space of the section, to be served at its root' })
  defaultSiteSpace?: string;
  @Condition(CONDITION)
  condition?: string | null;
  @Text({ ...ICON, optional: true, nullable: true })
  icon?: string | null;
  @Text({ optional: true, nullable: true, max: 256, example: 'How to get things done' })
  description?: string | null;
  @Flag({ ...DRAFT, optional: true })
  draft?: boolean;
}

export class AddSiteSpace {
  @Id({ description: 'A space that the caller administers' })
  spaceId: string;
  @Id({ optional: true, description: 'The default section when omitted, or the root of a site without sections' })
  sectionId?: string;
  @Flag({ ...DRAFT, optional: true, default: false })
  draft?: boolean;
}

export class DuplicateSiteSpace {
  @Flag({ ...DRAFT, optional: true, description: `${DRAFT.description}. Without it, a copy of a draft is a draft` })
  draft?: boolean;
}

export class UpdateSiteSpace {
  @Text({ optional: true, min: 1, max: 100, example: 'handbook' })
  path?: string;
  @Condition(CONDITION)
  condition?: string | null;
  @Id({ optional: true, description: 'Another space for it to show, which the caller administers' })
  spaceId?: string;
  @Flag({ ...DRAFT, optional: true })
  draft?: boolean;
}

export class AddSectionGroup {
  @Text({ min: 1, max: 100, example: 'Products' })
  title: string;
  @Text({ ...ICON, optional: true, nullable: true })
  icon?: string | null;
  @Id({ optional: true, list: true, maxItems: 100, description: 'Sections to move into the group, in order' })
  sections?: string[];
  @Id({ optional: true, description: 'The group to put it into; the root of the site when omitted' })
  parent?: string;
  @Flag({ ...DRAFT, optional: true, default: false })
  draft?: boolean;
}

export class UpdateSectionGroup {
  @Text({ optional: true, min: 1, max: 100, example: 'Products' })
  title?: string;
  @Text({ ...ICON, optional: true, nullable: true })
  icon?: string | null;
  @Id({
    optional: true,
    nullable: true,
    description: 'The group to put it into, at its end; null puts it at the root of the site',
  })
  parent?: string | null;
  @Flag({ ...DRAFT, optional: true })
  draft?: boolean;
}

export class AddSectionToGroup {
  @Id()
  sectionId: string;
}

/** A site space with the space as the caller sees it. */
export interface SiteSpaceRow extends SpaceForCaller {
  readonly siteSpaceId: string;
  readonly siteSpacePath: string;
  readonly siteSpaceVersion: number;
  readonly sectionId: string | null;
  readonly draft: boolean;
  readonly condition: string | null;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly isDefault: boolean;
  /** Path on the public listener while the site is published and the space is not in the trash. */
  readonly route: string | null;
  /** The limited pages of the space that the viewer does not see; for readers all of them. */
  readonly hiddenPages: readonly string[];
}

export interface SiteSectionRow {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly icon: string | null;
  readonly draft: boolean;
  readonly path: string;
  readonly condition: string | null;
  readonly groupId: string | null;
  readonly position: string;
  readonly version: number;
  readonly isDefault: boolean;
  readonly route: string | null;
}

export interface SectionGroupRow {
  readonly id: string;
  readonly title: string;
  readonly icon: string | null;
  readonly draft: boolean;
  readonly parentId: string | null;
  readonly position: string;
  readonly version: number;
}

/** All parts of a site, each list in order. */
export interface StructureRows {
  readonly groups: readonly SectionGroupRow[];
  readonly sections: readonly SiteSectionRow[];
  readonly links: readonly ExternalLinkRow[];
  readonly siteSpaces: readonly SiteSpaceRow[];
}

export function presentSiteSpace(row: SiteSpaceRow, addresses: Addresses): SiteSpaceBody {
  return versioned(
    {
      object: 'site-space',
      id: row.siteSpaceId,
      path: row.siteSpacePath,
      ...(row.sectionId !== null && { section: row.sectionId }),
      space: presentSpace(row, addresses),
      title: row.title,
      default: row.isDefault,
      ...(row.condition !== null && { condition: row.condition }),
      draft: row.draft,
      hasAdvancedCustomizationFeature: true,
      urls: publishedAt(row.route, addresses),
    },
    row.siteSpaceVersion,
  );
}

export function presentSection(
  row: SiteSectionRow,
  siteSpaces: readonly SiteSpaceRow[],
  addresses: Addresses,
): SiteSectionBody {
  return versioned(
    {
      object: 'site-section',
      id: row.id,
      title: row.title,
      ...(row.description !== null && { description: row.description }),
      default: row.isDefault,
      draft: row.draft,
      path: row.path,
      ...(row.condition !== null && { condition: row.condition }),
      ...(row.groupId !== null && { sectionGroup: row.groupId }),
      siteSpaces: siteSpaces
        .filter((siteSpace) => siteSpace.sectionId === row.id)
        .map((siteSpace) => presentSiteSpace(siteSpace, addresses)),
      urls: publishedAt(row.route, addresses),
      ...(row.icon !== null && { icon: row.icon }),
    },
    row.version,
  );
}

type Branch = StructureTree<SectionGroupRow, SiteSectionRow, ExternalLinkRow>;

/** A group with its content. */
export function presentGroup(group: SectionGroupRow, rows: StructureRows, addresses: Addresses): SiteSectionGroupBody {
  return presentBranch({ group, children: arrange(rows, group.id) }, rows.siteSpaces, addresses);
}

function presentBranch(
  { group, children }: Extract<Branch, { group: SectionGroupRow }>,
  siteSpaces: readonly SiteSpaceRow[],
  addresses: Addresses,
): SiteSectionGroupBody {
  const members = children.map((child) => presentMember(child, siteSpaces, addresses));
  return versioned(
    {
      object: 'site-section-group',
      id: group.id,
      title: group.title,
      draft: group.draft,
      ...(group.parentId !== null && { sectionGroup: group.parentId }),
      ...(group.icon !== null && { icon: group.icon }),
      children: members,
      sections: members.filter((member) => member.object === 'site-section'),
    },
    group.version,
  );
}

function presentMember(branch: Branch, siteSpaces: readonly SiteSpaceRow[], addresses: Addresses): StructureMemberBody {
  if ('link' in branch) return presentExternalLink(branch.link);
  return 'section' in branch
    ? presentSection(branch.section, siteSpaces, addresses)
    : presentBranch(branch, siteSpaces, addresses);
}

export function presentStructure(rows: StructureRows, addresses: Addresses): SiteStructureBody {
  if (rows.sections.length === 0 && (rows.groups.length === 0 || rows.siteSpaces.length > 0)) {
    return { type: 'siteSpaces', structure: rows.siteSpaces.map((row) => presentSiteSpace(row, addresses)) };
  }
  return {
    type: 'sections',
    structure: arrange(rows, null).map((branch) => presentMember(branch, rows.siteSpaces, addresses)),
  };
}

function publishedAt(route: string | null, addresses: Addresses): PublishedUrls {
  return route === null ? {} : { published: addresses.published(encodeURI(route)) };
}
