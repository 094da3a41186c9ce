import { Amount, Free, Id, ObjectName, OneOf, Text, Nested, Url } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { versioned } from '../../kernel/common/versioned.js';
import { MAX_LISTED, MAX_SOURCE_LENGTH, SOURCE_PATTERN } from './domain/redirects.js';

const KINDS = ['site-section', 'site-space', 'site-page', 'external'] as const;

const SOURCE = {
  min: 2,
  max: MAX_SOURCE_LENGTH,
  pattern: SOURCE_PATTERN,
  patternMessage: 'source must be a path such as /old/page, without query or fragment',
  example: '/old/page',
  description: 'Path below the site; the case of its letters does not matter',
} as const;

/** The target of a redirect, in the fields of its kind. */
export class RedirectDestination {
  @OneOf(KINDS)
  kind: (typeof KINDS)[number];
  @Id({ optional: true, description: 'Section, for kind `site-section`' })
  siteSectionId?: string;
  @Id({ optional: true, description: 'Site space, for kinds `site-space` and `site-page`' })
  siteSpaceId?: string;
  @Id({ optional: true, description: 'Page of the space, for kind `site-page`' })
  pageId?: string;
  @Url({ optional: true, description: 'Address outside of the site, for kind `external`' })
  url?: string;
}

const DESTINATION = {
  example: { kind: 'site-page', siteSpaceId: 'AbCdEfGh0123456789Xy', pageId: 'AbCdEfGh0123456789Xz' },
} as const;

export class RedirectBody {
  @ObjectName('site-redirect')
  object: 'site-redirect';
  @Id()
  id: string;
  @Text(SOURCE)
  source: string;
  @Nested(() => RedirectDestination, DESTINATION)
  destination: RedirectDestination;
}

export class CreateRedirect {
  @Text(SOURCE)
  source: string;
  @Nested(() => RedirectDestination, DESTINATION)
  destination: RedirectDestination;
}

export class UpdateRedirect {
  @Text({ ...SOURCE, optional: true })
  source?: string;
  @Nested(() => RedirectDestination, { ...DESTINATION, optional: true })
  destination?: RedirectDestination;
}

export class RedirectsQuery extends PageQuery {
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
/** Maximum number of entries of one list. */

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

export interface RedirectRow extends Destination {
  readonly id: string;
  readonly source: string;
  readonly version: number;
}

export function presentRedirect(row: RedirectRow): RedirectBody {
  return versioned(
    { object: 'site-redirect', id: row.id, source: row.source, destination: presentDestination(row) },
    row.version,
  );
}

function presentDestination({ sectionId, siteSpaceId, pageId, url }: Destination): RedirectDestination {
  if (url !== null) return { kind: 'external', url };
  if (sectionId !== null) return { kind: 'site-section', siteSectionId: sectionId };
  const siteSpace = { siteSpaceId: siteSpaceId ?? '' };
  return pageId === null ? { kind: 'site-space', ...siteSpace } : { kind: 'site-page', ...siteSpace, pageId };
}
