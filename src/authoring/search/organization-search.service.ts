import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { visibleSpaces } from '../../workspace/spaces/visible-spaces.js';
import { HiddenPages, viewWithout } from './hidden-pages.js';
import { HitPages } from './hit-pages.js';
import { inOneOrder, type RankedHit } from './ranked-hits.js';
import { Rankings, type Ranking } from './rankings.js';
import type { SearchQuery, SpaceHit } from './search.schema.js';
import {
  hitParameters,
  SPACES_IN_ONE_ORDER,
  SPACES_IN_ORDER,
  spacesWithHits,
  type SpaceHitRow,
} from './spaces-with-hits.js';

/** Full-text search over an organization, in the spaces that a user can see. */
@Injectable()
export class OrganizationSearch {
  constructor(
    private readonly lists: Pages,
    private readonly hitPages: HitPages,
    private readonly rankings: Rankings,
    private readonly hidden: HiddenPages,
    private readonly registry: Registry,
  ) {}

  /**
   * Finds spaces with their best pages, the space with the best one first. A translation comes behind its original,
   * unless it is in the given language.
   */
  async search(
    userId: string,
    organization: OrganizationAccess,
    query: SearchQuery,
    language?: string,
  ): Promise<Page<SpaceHit>> {
    const { page, ranking } = await this.rows(userId, organization, query, language);
    return page.with(await this.hitPages.present(organization.id, page.items, ranking));
  }

  /** Finds pages of any visible space in one order, of the best ten spaces at most ten each. */
  async ranked(
    userId: string,
    organization: OrganizationAccess,
    query: string,
    language?: string,
  ): Promise<RankedHit[]> {
    const { page, ranking } = await this.rows(userId, organization, { query, limit: SPACES_IN_ONE_ORDER }, language);
    return inOneOrder(page.items, await this.hitPages.present(organization.id, page.items, ranking), ranking.terms);
  }

  private async rows(
    userId: string,
    organization: OrganizationAccess,
    { query, ...request }: SearchQuery,
    language: string | undefined,
  ): Promise<{ readonly page: Page<SpaceHitRow>; readonly ranking: Ranking }> {
    const searched = { from: visibleSpaces(organization.role).from, values: [userId, organization.id] };
    const hidden = await this.hidden.inOrganization(userId, organization.id);
    const ranking = await this.rankings.of(query, organization.id, searched, viewWithout(hidden));
    const page = await this.lists.list<SpaceHitRow & Record<string, unknown>>(request, {
      ...SPACES_IN_ORDER,
      scope: ['organization-search', userId, organization.id, query, language],
      from: spacesWithHits(searched, this.registry),
      values: [...searched.values, ...hitParameters(ranking), language ?? null],
    });
    return { page, ranking };
  }
}
