import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import type { Document } from '../../formats/document/types.js';
import { readBodyDocument } from '../content/document-bodies.js';
import { changeRequestColumns, CHANGE_REQUEST_FROM, type ChangeRequestRow } from './change-request.schema.js';
import { ChangeRequestStore } from './change-request-store.js';
import { CLUSTERS_OF_ISSUES, CONTRIBUTORS, REQUESTED_REVIEWERS } from './change-requests.points.js';
import { mayBecome } from '../content/domain/request-status.js';
import type { Point } from '../content/content-store.js';
import { ContentLines, primaryPoint, type RevisionRow } from '../content/content-lines.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { fieldsGiven } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Templates } from '../templates/templates.service.js';
import type { ChangeRequestListQuery, CreateChangeRequest, UpdateChangeRequest } from './change-requests.schema.js';

/** Tells whether the user $4 wrote to the content of the change request `r`. */
const WROTE = 'EXISTS (SELECT FROM revision v WHERE v.space_id = r.space_id AND v.line = r.id AND v.author_id = $4)';

const BYTES = 'coalesce(octet_length(r.description::text), 0)';

const ORDER = [
  { expression: 'r.created_at', type: 'timestamptz' },
  { expression: 'r.id', type: 'text' },
] as const;

/** Proposed edits of a space: their lifecycle from draft to merge, apart from their content. */
@Injectable()
export class ChangeRequests {
  private readonly columns: string;
  /** The conditions of lists, over the change request `r`. */
  private readonly filters: string;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly lines: ContentLines,
    private readonly outbox: Outbox,
    private readonly templates: Templates,
    private readonly store: ChangeRequestStore,
    private readonly registry: Registry,
  ) {
    this.columns = changeRequestColumns(registry);
    const contributed = registry.contributionsTo(CONTRIBUTORS).map((condition) => condition('$4'));
    const requested = registry.contributionsTo(REQUESTED_REVIEWERS).map((condition) => condition('$5'));
    this.filters = `($2::text IS NULL OR r.status = $2) AND ($3::text IS NULL OR r.created_by = $3)
      AND ($4::text IS NULL OR ${[WROTE, ...contributed].join(' OR ')})
      AND ($5::text IS NULL OR ${['false', ...requested].join(' OR ')})
      AND ($6::text[] IS NULL OR r.issues_cluster_id = ANY ($6))`;
  }

  /** Lists the change requests of a space with a status (open by default), newest first. */
  list(spaceId: string, query: ChangeRequestListQuery): Promise<Page<ChangeRequestRow>> {
    return this.pages.list<ChangeRequestRow>(query, {
      scope: ['change-requests', spaceId, ...filtersOf(query)],
      select: this.columns,
      from: `${CHANGE_REQUEST_FROM} WHERE r.space_id = $1 AND ${this.filters}`,
      values: [spaceId, ...filtersOf(query)],
      bytes: BYTES,
      order: ORDER,
      direction: 'desc',
    });
  }

  /** Lists change requests over all spaces of an organization that the caller can see. */
  listInOrganization(
    caller: Caller,
    organizationId: string,
    query: ChangeRequestFilters,
  ): Promise<Page<ChangeRequestRow>> {
    return this.pages.list<ChangeRequestRow>(query, {
      scope: ['change-requests', caller.userId, organizationId, ...filtersOf(query)],
      select: this.columns,
      from: `${CHANGE_REQUEST_FROM}
        JOIN space_access($7, ARRAY(SELECT id FROM space WHERE organization_id = $1 AND deleted_at IS NULL)) a ON a.space_id = r.space_id AND a.role > 'none'
        WHERE ${this.filters}`,
      values: [organizationId, ...filtersOf(query), caller.userId],
      bytes: BYTES,
      order: ORDER,
      direction: 'desc',
    });
  }

  /**
   * Creates a draft on the head of the primary line, or on an earlier revision of it, with the pages of a template if one is
   * given. Without one it costs one row, whatever the size of the space.
   */
  async create(
    caller: Caller,
    spaceId: string,
    { subject = '', template, conversationsIssuesCluster: cluster }: CreateChangeRequest,
    base?: Pick<RevisionRow, 'id' | 'sequence'>,
  ): Promise<ChangeRequestRow> {
    const filled =
      template &&
      (await this.templates.prepare(
        { caller, path: 'template.', here: await this.pointFor(caller, spaceId) },
        template,
      ));
    const now = this.clock.now();
    const id = newId(now.getTime());
    await this.database.transaction(async () => {
      await this.requireCluster(spaceId, cluster ?? null);
      const made = await this.store.insert({
        ...{ spaceId, id, subject, status: 'draft', createdBy: caller.userId, createdAt: now, cluster, base },
      });
      if (!made) throw notFound('Space');
      await this.access.requireSpace(caller, spaceId, 'space:propose');
      await this.outbox.record({
        type: 'change_request_created',
        organizationId: made.organizationId,
        spaceId,
        target: id,
        payload: { number: made.number },
      });
      if (filled) await this.templates.write({ spaceId, changeRequest: id }, filled);
    });
    return this.store.get(spaceId, id);
  }

  /** The content that references of a caller's template can lead to. */
  private async pointFor(caller: Caller, spaceId: string): Promise<Point> {
    const { hiddenPages } = await this.access.requireSpace(caller, spaceId, 'space:propose');
    return primaryPoint(await this.lines.primary(spaceId), hiddenPages);
  }

  /** Changes subject, description or status; a merged change request keeps its status (`conflict`). */
  async update(
    caller: Caller,
    spaceId: string,
    idOrNumber: string,
    changes: Omit<UpdateChangeRequest, 'description'> & { readonly description?: Document },
  ): Promise<ChangeRequestRow> {
    const description =
      changes.description === undefined ? null : JSON.stringify(readBodyDocument(changes.description, 'description'));
    const id = await this.database.transaction(async () => {
      const request = await this.lines.lockRequest(spaceId, idOrNumber);
      await this.access.requireSpace(caller, spaceId, 'space:propose');
      requireMatch(request.version);
      if (changes.status !== undefined && !mayBecome(request.status, changes.status)) {
        throw new DomainError('conflict', `A ${request.status} change request cannot become ${changes.status}`);
      }
      const { conversationsIssuesCluster: cluster } = changes;
      await this.requireCluster(spaceId, cluster ?? null);
      const changed = await this.database.execute(
        `UPDATE change_request SET subject = coalesce($2, subject), description = coalesce($3, description), status = coalesce($4, status),
                issues_cluster_id = CASE WHEN $6 THEN $7 ELSE issues_cluster_id END, updated_at = $5, version = version + 1
          WHERE id = $1 AND (subject, coalesce(description, 'null'), status, issues_cluster_id)
                IS DISTINCT FROM (coalesce($2, subject), coalesce($3, description, 'null'), coalesce($4, status), CASE WHEN $6 THEN $7 ELSE issues_cluster_id END)`,
        [
          request.id,
          changes.subject ?? null,
          description,
          changes.status ?? null,
          this.clock.now(),
          cluster !== undefined,
          cluster ?? null,
        ],
      );
      if (changed > 0) {
        const { organizationId } = request;
        await this.outbox.record({
          type: 'change_request_updated',
          organizationId,
          spaceId,
          target: request.id,
          payload: { fields: fieldsGiven(changes) },
        });
      }
      return request.id;
    });
    return this.store.get(spaceId, id);
  }

  /**
   * Locks a cluster of issues of the organization of a space, so that it cannot be deleted; throws `invalid` if there
   * is none with this id.
   */
  private async requireCluster(spaceId: string, id: string | null): Promise<void> {
    if (id === null) return;
    const held = this.registry.contributionsTo(CLUSTERS_OF_ISSUES).map((hold) => hold(this.database, spaceId, id));
    if (!(await Promise.all(held)).includes(true))
      throw invalid('conversationsIssuesCluster', 'is not a cluster of this organization');
  }
}

/** The filters of lists; those of all statuses without one, and those of any of several clusters. */
interface ChangeRequestFilters extends Omit<ChangeRequestListQuery, 'status' | 'conversationsIssuesCluster'> {
  readonly status?: ChangeRequestListQuery['status'];
  readonly conversationsIssuesCluster?: string | readonly string[];
}

function filtersOf({
  status,
  creator,
  contributor,
  requestedReviewer,
  conversationsIssuesCluster,
}: ChangeRequestFilters): unknown[] {
  return [
    status ?? null,
    creator ?? null,
    contributor ?? null,
    requestedReviewer ?? null,
    conversationsIssuesCluster === undefined ? null : [conversationsIssuesCluster].flat(),
  ];
}
