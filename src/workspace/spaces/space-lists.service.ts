import { Inject, Injectable } from '@nestjs/common';
import type { CollectionAccess, OrganizationAccess } from '../../kernel/access/access.service.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import type { SpaceForCaller } from './spaces.schema.js';
import { Spaces } from './spaces.service.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { Clock } from '../../kernel/common/clock.js';
import { permission } from '../../kernel/access/permissions.js';
import { visibleSpaces } from './visible-spaces.js';

const DAY_MS = 86_400_000;

/** Lists the spaces of organizations and collections. */
@Injectable()
export class SpaceLists {
  constructor(
    private readonly pages: Pages,
    private readonly spaces: Spaces,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
  ) {}

  /** The deleted spaces of an organization that the caller can restore, those deleted last first. */
  async listDeleted(userId: string, { id }: OrganizationAccess, request: PageRequest): Promise<Page<SpaceForCaller>> {
    const since = new Date(this.clock.now().getTime() - this.config.retentionDays * DAY_MS);
    const ids = await this.pages.list<{ id: string }>(request, {
      scope: ['trash', userId, id],
      select: 's.id',
      from: `FROM space s
        JOIN space_access($1, ARRAY(SELECT d.id FROM space d WHERE d.organization_id = $2 AND d.deleted_at >= $3)) a ON a.space_id = s.id AND a.role >= $4::access_level
       WHERE s.organization_id = $2 AND s.deleted_at >= $3`,
      values: [userId, id, since, permission('space:restore').least],
      order: [
        { expression: 's.deleted_at', type: 'timestamptz' },
        { expression: 's.id', type: 'text' },
      ],
      direction: 'desc',
    });
    return this.load(userId, ids);
  }

  /** The spaces of an organization that the caller may see, newest first. */
  async list(userId: string, organization: OrganizationAccess, request: PageRequest): Promise<Page<SpaceForCaller>> {
    const ids = await this.pages.list<{ id: string }>(request, {
      scope: ['spaces', userId, organization.id],
      select: 's.id',
      ...visibleSpaces(organization.role),
      values: [userId, organization.id],
      order: [
        { expression: 's.created_at', type: 'timestamptz' },
        { expression: 's.id', type: 'text' },
      ],
      direction: 'desc',
    });
    return this.load(userId, ids);
  }

  /** The spaces of a collection that the caller can see, in their order. */
  async listInCollection(
    userId: string,
    { id, organizationId }: CollectionAccess,
    request: PageRequest,
  ): Promise<Page<SpaceForCaller>> {
    const ids = await this.pages.list<{ id: string }>(request, {
      scope: ['collection-spaces', userId, id],
      select: 's.id',
      // Exceptions are what guests can see and others cannot.
      from: `FROM space s WHERE s.organization_id = $3 AND s.collection_id = $2 AND s.deleted_at IS NULL
               AND (s.id IN (SELECT x.space_id FROM exceptional_spaces($1, $3) x)) = (SELECT m.role = 'none' FROM member m WHERE m.organization_id = $3 AND m.user_id = $1)`,
      count: `SELECT CASE WHEN m.role = 'none' THEN exceptions.count
                     ELSE coalesce((SELECT t.spaces FROM collection_total t WHERE t.collection_id = $2), 0) - exceptions.count END AS count
                FROM member m
               CROSS JOIN (SELECT count(*) FROM exceptional_spaces($1, $3) x
                             CROSS JOIN LATERAL (SELECT s.collection_id FROM space s WHERE s.id = x.space_id OFFSET 0) s WHERE s.collection_id = $2) exceptions
               WHERE m.organization_id = $3 AND m.user_id = $1`,
      values: [userId, id, organizationId],
      order: [
        { expression: 's.position', type: 'text' },
        { expression: 's.id', type: 'text' },
      ],
      direction: 'asc',
    });
    return this.load(userId, ids);
  }

  /** The spaces behind a page of ids, in its order, in one query. */
  private async load(userId: string, page: Page<{ readonly id: string }>): Promise<Page<SpaceForCaller>> {
    const byId = await this.spaces.byIds(
      userId,
      page.items.map(({ id }) => id),
    );
    return page.with(page.items.flatMap(({ id }) => byId.get(id) ?? []));
  }
}
