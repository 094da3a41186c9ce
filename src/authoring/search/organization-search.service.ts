import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { visibleSpaces } from '../../workspace/spaces/visible-spaces.js';
import { HitPages } from './hit-pages.js';
import { Queries } from './query-terms.js';
import type { SearchQuery, SpaceHit } from './search.schema.js';
import { SPACES_IN_ORDER, spacesWithHits, type SpaceHitRow } from './spaces-with-hits.js';

/** Full-text search over an organization, in the spaces that a user can see. */
@Injectable()
export class OrganizationSearch {
  constructor(
    private readonly lists: Pages,
    private readonly hitPages: HitPages,
    private readonly queries: Queries,
    private readonly registry: Registry,
  ) {}

  /**
   * Finds spaces with their best pages, the space with the best one first. A translation comes behind its original,
   * unless it is in the given language.
   */
  async search(
    userId: string,
    organization: OrganizationAccess,
    { query, ...request }: SearchQuery,
    language?: string,
  ): Promise<Page<SpaceHit>> {
    const searched = { from: visibleSpaces(organization.role).from, values: [userId, organization.id] };
    const terms = await this.queries.read(query, organization.id, searched);
    const page = await this.lists.list<SpaceHitRow & Record<string, unknown>>(request, {
      ...SPACES_IN_ORDER,
      scope: ['organization-search', userId, organization.id, query, language],
      from: spacesWithHits(searched, this.registry),
      values: [...searched.values, ...terms.parameters, language ?? null],
    });
    return page.with(await this.hitPages.present(organization.id, page.items, terms.shown));
  }
}
