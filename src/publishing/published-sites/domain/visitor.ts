import { createHash } from 'node:crypto';
import { holds } from '../../../kernel/common/expressions/evaluate.js';
import type { Data, DataObject } from '../../../kernel/common/expressions/tree.js';
import { reachableStructure, type Structure } from './reachable-structure.js';

/**
 * The part of a site's structure that a visitor sees: sections, links and site spaces whose conditions hold for the
 * claims, and sections and groups that still have content then. A condition that cannot be parsed or has no value hides its
 * subject.
 */
export function shownTo<
  Group extends { readonly id: string; readonly parentId: string | null },
  Section extends { readonly id: string; readonly groupId: string | null; readonly condition: string | null },
  Link extends { readonly groupId: string | null; readonly condition: string | null },
  SiteSpace extends {
    readonly sectionId: string | null;
    readonly deletedAt: Date | null;
    readonly condition: string | null;
  },
>(rows: Structure<Group, Section, Link, SiteSpace>, visitor: DataObject): Structure<Group, Section, Link, SiteSpace> {
  const scope = { visitor };
  const served = reachableStructure(rows);
  const sections = served.sections.filter(({ condition }) => holds(condition, scope));
  const open = new Set<string | null>([null, ...sections.map(({ id }) => id)]);
  const siteSpaces = served.siteSpaces.filter(
    ({ sectionId, condition }) => open.has(sectionId) && holds(condition, scope),
  );
  const links = served.links.filter(({ condition }) => holds(condition, scope));
  return reachableStructure({ groups: served.groups, sections, links, siteSpaces });
}

/** A short key of a visitor's claims: equal for equal claims, in any order. */
export function claimsKey(visitor: DataObject): string {
  return createHash('sha256').update(canonical(visitor)).digest('base64url').slice(0, 22);
}

function canonical(value: Data): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`)
    .join(',')}}`;
}

/** Something that visitors see for whose claims its condition holds. */
interface Conditional {
  readonly condition?: string | undefined;
}

/** The settings of a site for a visitor: links of its header and its announcement, if their conditions hold for the claims. */
export function settingsShownTo<
  Settings extends {
    readonly header: { readonly links: readonly Conditional[] };
    readonly announcement?: Conditional | undefined;
  },
>(settings: Settings, visitor: DataObject): Settings {
  const { header, announcement } = settings;
  const isShown = ({ condition }: Conditional): boolean => condition === undefined || holds(condition, { visitor });
  return {
    ...settings,
    header: { ...header, links: header.links.filter(isShown) },
    announcement: announcement && isShown(announcement) ? announcement : undefined,
  };
}
