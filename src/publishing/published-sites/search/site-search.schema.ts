import { Id, Nested, OneOf, Text } from '../../../kernel/common/fields.js';
import { invalid } from '../../../kernel/common/errors.js';

const MODES = ['default', 'specific', 'all'] as const;
const OLD_MODES = ['specific', 'current', 'all'] as const;

export class SiteSearchScope {
  @OneOf(MODES, {
    description:
      '`default`: the current site space and those at the roots of the other sections; `specific`: those that are named; `all`',
  })
  mode: (typeof MODES)[number];
  @Id({ optional: true, description: 'Site space whose hits come first, for mode `default`' })
  currentSiteSpace?: string;
  @Id({
    optional: true,
    list: true,
    minItems: 1,
    maxItems: 100,
    description: 'Site spaces to search, for mode `specific`',
  })
  siteSpaceIds?: string[];
}

export class SearchSite {
  @Text({
    max: 512,
    description: 'Words, "phrases", or, -without; the last word may be unfinished. Accents do not matter',
    example: 'install',
  })
  query: string;
  @Nested(() => SiteSearchScope, {
    optional: true,
    example: { mode: 'default' },
    description: 'All site spaces at the roots of sections when omitted',
  })
  scope?: SiteSearchScope;
  @OneOf(OLD_MODES, { optional: true, description: 'Deprecated: use the scope' })
  mode?: (typeof OLD_MODES)[number];
  @Id({ optional: true, description: 'Deprecated, of the mode `current`' })
  siteSpaceId?: string;
  @Id({ optional: true, list: true, minItems: 1, maxItems: 100, description: 'Deprecated, of the mode `specific`' })
  siteSpaceIds?: string[];
}

/** The searched site spaces; `path` is their field in the body. */
export type SearchedSpaces =
  | { readonly mode: 'all' }
  | { readonly mode: 'specific'; readonly siteSpaceIds: readonly string[]; readonly path: string }
  | { readonly mode: 'default'; readonly currentSiteSpace?: string; readonly path: string };

/** The search scope of a body, in the current or the older form. */
export function searchedSpaces({ scope, mode, siteSpaceId, siteSpaceIds }: Omit<SearchSite, 'query'>): SearchedSpaces {
  if (scope) {
    if (scope.mode === 'specific') return specific(scope.siteSpaceIds, 'scope.siteSpaceIds');
    if (scope.mode === 'all') return { mode: 'all' };
    return {
      mode: 'default',
      ...(scope.currentSiteSpace !== undefined && { currentSiteSpace: scope.currentSiteSpace }),
      path: 'scope.currentSiteSpace',
    };
  }
  if (mode === 'all') return { mode: 'all' };
  if (mode === 'specific' || (mode === undefined && siteSpaceIds !== undefined))
    return specific(siteSpaceIds, 'siteSpaceIds');
  if (mode === undefined) return { mode: 'default', path: 'scope.currentSiteSpace' };
  if (siteSpaceId === undefined) throw invalid('siteSpaceId', 'is required');
  return { mode: 'default', currentSiteSpace: siteSpaceId, path: 'siteSpaceId' };
}

function specific(siteSpaceIds: readonly string[] | undefined, path: string): SearchedSpaces {
  if (siteSpaceIds === undefined) throw invalid(path, 'is required');
  return { mode: 'specific', siteSpaceIds, path };
}
