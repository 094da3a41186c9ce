import { Amount, Flag, Free, Id, ObjectName, OneOf, Text, Timestamp, Nested, Url } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { versioned } from '../../kernel/common/versioned.js';
import { MAX_LISTED, MAX_SOURCE_LENGTH, SOURCE_PATTERN } from './domain/redirects.js';

const KINDS = ['site-section', 'site-space', 'site-page', 'external'] as const;

/** As long as the longest source: paths of pages are as long as what is requested. */
const MAX_PATH_LENGTH = 512;

export const SOURCE = {
  min: 2,
  max: MAX_SOURCE_LENGTH,
  pattern: SOURCE_PATTERN,
  patternMessage: 'source must be a path such as /old/page or /old/*, without query or fragment',
  example: '/old/page',
  description:
    'Path below the site; the case of its letters does not matter. With an asterisk at its end, all paths that begin like it; of several, the longest counts',
} as const;

const DRAFT = { description: 'Not live: no reader is redirected by it' } as const;
export const CAPTURE = {
  description: 'Appends the part that the asterisk matched to the destination',
} as const;
export const PERMANENT = {
  description: 'Readers of a public or unlisted site are answered 308; all others, and without it, 307',
} as const;

class DestinationFields {
  @Id({ optional: true, description: 'Section, for kind `site-section`' })
  siteSectionId?: string;
  @Id({ optional: true, description: 'Site space, for kinds `site-space` and `site-page`' })
  siteSpaceId?: string;
  @Id({ optional: true, description: 'Page of the space, for kind `site-page`' })
  pageId?: string;
  @Url({ optional: true, description: 'Address outside of the site, for kind `external`' })
  url?: string;
}

/** The target of a redirect, in the fields of its kind. */
export class RedirectDestination extends DestinationFields {
  @OneOf(KINDS)
  kind: (typeof KINDS)[number];
}

const INPUT_KINDS = [...KINDS, 'path'] as const;

/** A target as it is given: a page may also be named by its path. */
export class RedirectInputDestination extends DestinationFields {
  @OneOf(INPUT_KINDS)
  kind: (typeof INPUT_KINDS)[number];
  @Id({ optional: true, description: 'A space of the site, for kind `path`' })
  spaceId?: string;
  @Text({
    optional: true,
    min: 1,
    max: MAX_PATH_LENGTH,
    description: 'Path of a page of that space, for kind `path`; the redirect then leads to the page',
    example: 'guides/install',
  })
  path?: string;
}

export const DESTINATION = {
  example: { kind: 'site-page', siteSpaceId: 'AbCdEfGh0123456789Xy', pageId: 'AbCdEfGh0123456789Xy' },
} as const;

export class RedirectBody {
  @ObjectName('site-redirect')
  object: 'site-redirect';
  @Id()
  id: string;
  @Text(SOURCE)
  source: string;
  @Flag({ ...DRAFT, example: false })
  draft: boolean;
  @Flag({ ...CAPTURE, example: false })
  captureWildcard: boolean;
  @Flag({ ...PERMANENT, example: false })
  permanent: boolean;
  @Nested(() => RedirectDestination, DESTINATION)
  destination: RedirectDestination;
  @Timestamp()
  createdAt: string;
  @Timestamp({ optional: true, description: 'Absent as long as it was not changed' })
  updatedAt?: string;
}

export class CreateRedirect {
  @Text(SOURCE)
  source: string;
  @Flag({ ...DRAFT, optional: true, default: false })
  draft?: boolean;
  @Flag({ ...CAPTURE, optional: true, default: false })
  captureWildcard?: boolean;
  @Flag({ ...PERMANENT, optional: true, default: false })
  permanent?: boolean;
  @Nested(() => RedirectInputDestination, DESTINATION)
  destination: RedirectInputDestination;
}

export class UpdateRedirect {
  @Text({ ...SOURCE, optional: true })
  source?: string;
  @Flag({ ...DRAFT, optional: true, example: false })
  draft?: boolean;
  @Flag({ ...CAPTURE, optional: true, example: false })
  captureWildcard?: boolean;
  @Flag({ ...PERMANENT, optional: true })
  permanent?: boolean;
  @Nested(() => RedirectInputDestination, { ...DESTINATION, optional: true })
  destination?: RedirectInputDestination;
}

const ORDERS = ['createdAt', 'updatedAt', 'source'] as const;

export class RedirectsQuery extends PageQuery {
  @Flag({ optional: true, query: true, default: false, description: 'True: the drafts; false: the live ones' })
  draft?: boolean;
  @OneOf(ORDERS, {
    optional: true,
    default: 'createdAt',
    description: 'Latest first by `createdAt` and `updatedAt`, in the order of the alphabet by `source`',
  })
  orderBy?: (typeof ORDERS)[number];
  @Text({
    optional: true,
    max: MAX_SOURCE_LENGTH,
    description: 'Only redirects whose source contains this, ignoring case',
    example: 'old',
  })
  search?: string;
}

export class RedirectQuery {
  @Text(SOURCE)
  source: string;
  @Text({ optional: true, max: 200, description: 'Selects the published addresses that are shown; it grants nothing' })
  shareKey?: string;
}

export class ResolvedRedirectBody {
  @Nested(() => RedirectBody)
  redirect: RedirectBody;
  @Url({ description: 'Where it leads' })
  target: string;
}

const MAX_YAML = 1024 * 1024;

export class ImportRedirects {
  @Text({
    optional: true,
    max: MAX_YAML,
    description: 'A `.gitbook.yaml`, of which the mapping `redirects` counts',
    example: 'redirects:\n  old/page: new/page.md\n',
  })
  yaml?: string;
  @Free({
    optional: true,
    description: 'The same mapping as JSON: old paths to files of pages, paths of pages or addresses',
    example: { 'old/page': 'new/page.md' },
  })
  redirects?: Record<string, unknown>;
  @Id({
    optional: true,
    description:
      'The site space that paths begin at and pages are looked for in; that at the root of the site when omitted',
  })
  siteSpace?: string;
}

const RESULTS = ['created', 'updated', 'unchanged', 'skipped'] as const;

class ImportedRedirect {
  @Amount({ optional: true, min: 1, description: 'Line of the YAML' })
  line?: number;
  @Text({ description: 'As it stands in the list', example: 'old/page' })
  from: string;
  @OneOf(RESULTS)
  status: (typeof RESULTS)[number];
  @Text({ optional: true, description: 'Why it was skipped', example: 'there is no page new/page' })
  message?: string;
  @Text({ optional: true, description: 'The source of the redirect', example: '/old/page' })
  source?: string;
}

/** The result for each entry of a list of redirects, in order. */
export class RedirectsImportBody {
  @Amount({ min: 0 })
  created: number;
  @Amount({ min: 0 })
  updated: number;
  @Amount({ min: 0 })
  unchanged: number;
  @Amount({ min: 0 })
  skipped: number;
  @Nested(() => ImportedRedirect, { list: true, maxItems: MAX_LISTED })
  entries: ImportedRedirect[];
}

/** The target of a redirect, as in its row. */
export interface Destination {
  readonly sectionId: string | null;
  readonly siteSpaceId: string | null;
  readonly pageId: string | null;
  readonly url: string | null;
}

/** What a redirect does, beside where it begins. */
export interface RedirectRule extends Destination {
  readonly captureWildcard: boolean;
  readonly permanent: boolean;
}

export interface RedirectRow extends RedirectRule {
  readonly id: string;
  readonly source: string;
  readonly draft: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
  readonly version: number;
}

/** The columns of a `RedirectRow` over the alias `r`. */
export const REDIRECT_COLUMNS = `r.id, r.source, r.draft, r.capture_wildcard AS "captureWildcard", r.permanent, r.section_id AS "sectionId",
  r.site_space_id AS "siteSpaceId", r.page_id AS "pageId", r.url, r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.version`;

export function presentRedirect(row: RedirectRow): RedirectBody {
  return versioned(
    {
      object: 'site-redirect',
      id: row.id,
      source: row.source,
      draft: row.draft,
      captureWildcard: row.captureWildcard,
      permanent: row.permanent,
      destination: presentDestination(row),
      createdAt: row.createdAt.toISOString(),
      ...(row.updatedAt !== null && { updatedAt: row.updatedAt.toISOString() }),
    },
    row.version,
  );
}

function presentDestination({ sectionId, siteSpaceId, pageId, url }: Destination): RedirectDestination {
  if (url !== null) return { kind: 'external', url };
  if (sectionId !== null) return { kind: 'site-section', siteSectionId: sectionId };
  const siteSpace = { siteSpaceId: siteSpaceId ?? '' };
  return pageId === null ? { kind: 'site-space', ...siteSpace } : { kind: 'site-page', ...siteSpace, pageId };
}
