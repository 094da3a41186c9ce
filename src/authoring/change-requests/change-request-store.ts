import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { actingAgent } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { TAKE_REQUEST_NUMBER } from '../../workspace/spaces/space-store.js';
import type { RevisionRow } from '../content/content-lines.js';
import { ChangeRequest } from './change-request.entity.js';
import type { NextHead, RequestHead, RequestLines } from '../content/request-lines.js';
import {
  CHANGE_REQUEST_FROM,
  changeRequestColumns,
  presentChangeRequest,
  type ChangeRequestBody,
  type ChangeRequestRow,
} from './change-request.schema.js';

const ONE = 'WHERE r.space_id = $1 AND (r.id = $2 OR r.number = $3)';

const HEAD = `SELECT r.id, r.space_id AS "spaceId", s.organization_id AS "organizationId", r.number, r.status, s.language,
    r.revision_id AS "revisionId", r.sequence::float8 AS sequence, r.base_revision_id AS "baseRevisionId",
    r.base_sequence::float8 AS "baseSequence", r.merged_revision_id AS "mergedRevisionId", r.created_by AS "createdBy", r.version,
    (SELECT jsonb_build_object('line', c.line, 'sequence', c.sequence, 'baseSequence', c.base_sequence)
       FROM revision c WHERE c.space_id = r.space_id AND c.id = r.continued_revision_id) AS continued
  FROM change_request r JOIN space s ON s.id = r.space_id AND s.deleted_at IS NULL ${ONE}`;

/** Later writes make reviews outdated, unless the reviews are kept. On a new base, a change request goes on from nothing else. */
const MOVE = `UPDATE change_request SET revision_id = $2, sequence = $3, updated_at = $4, version = version + 1,
    written_sequence = CASE WHEN $7 THEN written_sequence ELSE $3 END,
    base_revision_id = coalesce($5, base_revision_id), base_sequence = coalesce($6, base_sequence), merged_ancestor_id = coalesce($5, merged_ancestor_id),
    continued_revision_id = CASE WHEN $5 IS NULL THEN continued_revision_id END
  WHERE id = $1`;

/** Without a base, the change request begins at the head of the primary line. */
const INSERT = `WITH s AS (${TAKE_REQUEST_NUMBER})
  INSERT INTO change_request (id, space_id, number, status, subject, created_by, revision_id, base_revision_id, base_sequence, initial_revision_id, issues_cluster_id, created_at, updated_at, agent)
  SELECT $2, $1, s.change_request_number, $10, $3, $4, b.revision, b.revision, b.sequence, b.revision, $6, $5, $5, $7
    FROM s CROSS JOIN LATERAL (SELECT coalesce($8, s.revision_id) AS revision, coalesce($9, s.sequence) AS sequence) b
  RETURNING number, (SELECT organization_id FROM s) AS "organizationId"`;

const MAX_NUMBER = 2_147_483_647;

/** A change request before it has a number. */
export interface NewChangeRequest {
  readonly spaceId: string;
  readonly id: string;
  readonly subject: string;
  readonly status: 'draft' | 'open';
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly cluster?: string | undefined;
  readonly base?: Pick<RevisionRow, 'id' | 'sequence'> | undefined;
}

/** Finds change requests, and maintains the heads of their lines. */
@Injectable()
export class ChangeRequestStore implements RequestLines {
  private readonly one: string;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly addresses: Addresses,
    registry: Registry,
  ) {
    this.one = `SELECT ${changeRequestColumns(registry)} ${CHANGE_REQUEST_FROM} ${ONE}`;
  }

  /** Returns a change request by id or number, with related data; throws `notFound`. */
  async get(spaceId: string, idOrNumber: string): Promise<ChangeRequestRow> {
    const row = await this.database.one<ChangeRequestRow>(this.one, valuesOfOne(spaceId, idOrNumber));
    if (!row) throw notFound('Change request');
    return row;
  }

  /** Returns a change request by id or number in its API form; throws `notFound`. */
  async shown(space: SpaceAccess, idOrNumber: string): Promise<ChangeRequestBody> {
    return presentChangeRequest(await this.get(space.id, idOrNumber), space, this.addresses);
  }

  /** Gives a new change request the next number of its space; undefined if there is no such space. */
  insert(request: NewChangeRequest): Promise<{ readonly organizationId: string; readonly number: number } | undefined> {
    const { spaceId, id, subject, status, createdBy, createdAt, cluster, base } = request;
    return this.database.one<{ organizationId: string; number: number }>(INSERT, [
      ...[spaceId, id, subject, createdBy, createdAt, cluster ?? null, actingAgent()],
      ...[base?.id ?? null, base?.sequence ?? null, status],
    ]);
  }

  head(spaceId: string, idOrNumber: string, isLocked: boolean): Promise<RequestHead | undefined> {
    return this.database.one<RequestHead & Record<string, unknown>>(
      isLocked ? `${HEAD} FOR NO KEY UPDATE OF r` : HEAD,
      valuesOfOne(spaceId, idOrNumber),
    );
  }

  async revisions(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const where = { id: In([...ids]) };
    const rows = await this.database.of(ChangeRequest).find({ select: { id: true, revisionId: true }, where });
    return new Map(rows.map(({ id, revisionId }) => [id, revisionId]));
  }

  async moveHead(id: string, { revisionId, sequence, base, keepsReviews }: NextHead): Promise<void> {
    await this.database.execute(MOVE, [
      id,
      revisionId,
      sequence,
      this.clock.now(),
      base?.revisionId ?? null,
      base?.sequence ?? null,
      keepsReviews,
    ]);
  }
}

/** The parameters `$1` space, `$2` id and `$3` number of a statement that finds a change request by id or number. */
function valuesOfOne(spaceId: string, idOrNumber: string): unknown[] {
  const number = /^\d{1,10}$/.test(idOrNumber) ? Number(idOrNumber) : 0;
  return [spaceId, idOrNumber, number <= MAX_NUMBER ? number : 0];
}
