import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { currentContext } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import type { MergeRule, MergeRules } from '../../identity/organizations/domain/merge-rules.js';
import type { Point } from './content-store.js';
import type { RequestStatus } from './domain/request-status.js';

export type RevisionType = 'edits' | 'merge' | 'update' | 'rollback' | 'computed';

/** The head of a space's primary line. */
export interface PrimaryHead {
  readonly spaceId: string;
  readonly organizationId: string;
  readonly editMode: 'live' | 'locked';
  readonly language: string | null;
  readonly revisionId: string;
  readonly sequence: number;
  readonly version: number;
  /** It is a translation of another space, which only its runs write to. */
  readonly isTranslation: boolean;
}

/** The head of a change request's line and the primary revision that it stands on. */
export interface RequestHead {
  readonly id: string;
  readonly spaceId: string;
  readonly organizationId: string;
  readonly number: number;
  readonly status: RequestStatus;
  readonly language: string | null;
  readonly revisionId: string;
  readonly sequence: number;
  readonly baseRevisionId: string;
  readonly baseSequence: number;
  readonly mergedRevisionId: string | null;
  readonly createdBy: string;
  readonly version: number;
}

/** The primary revision that a change request comes to stand on. */
export interface RequestBase {
  readonly revisionId: string;
  readonly sequence: number;
}

/** A stored revision: where it is in the history of its line. */
export interface RevisionRow {
  readonly id: string;
  readonly line: string;
  readonly sequence: number;
  readonly baseSequence: number;
  readonly baseRevisionId: string | null;
  readonly parents: readonly string[];
  readonly type: RevisionType;
  readonly mergedFrom: string | null;
  readonly git: unknown;
  readonly createdAt: Date;
}

export interface NewRevision {
  readonly spaceId: string;
  /** '' is the primary line. */
  readonly line: string;
  readonly sequence: number;
  readonly baseSequence: number;
  readonly baseRevisionId?: string;
  readonly parents: readonly string[];
  readonly type: RevisionType;
  readonly mergedFrom?: string;
  readonly rolledBackTo?: string;
  readonly message?: string;
  readonly git?: unknown;
}

const SPACE = `SELECT id AS "spaceId", organization_id AS "organizationId", edit_mode AS "editMode", language, revision_id AS "revisionId",
    sequence::float8 AS sequence, version, EXISTS (SELECT FROM translation t WHERE t.result_space_id = space.id) AS "isTranslation"
  FROM space WHERE id = $1 AND deleted_at IS NULL`;

const RULES = `SELECT s.merge_rules ->> 'type' = 'inherit' AS inherited, CASE s.merge_rules ->> 'type' WHEN 'inherit' THEN o.merge_rules ELSE s.merge_rules END AS rules
  FROM space s JOIN organization o ON o.id = s.organization_id WHERE s.id = $1`;

const REQUEST = `SELECT r.id, r.space_id AS "spaceId", s.organization_id AS "organizationId", r.number, r.status, s.language,
    r.revision_id AS "revisionId", r.sequence::float8 AS sequence, r.base_revision_id AS "baseRevisionId",
    r.base_sequence::float8 AS "baseSequence", r.merged_revision_id AS "mergedRevisionId", r.created_by AS "createdBy", r.version
  FROM change_request r JOIN space s ON s.id = r.space_id AND s.deleted_at IS NULL
 WHERE r.space_id = $1 AND (r.id = $2 OR r.number = $3)`;

const REVISION = `SELECT id, line, sequence::float8 AS sequence, base_sequence::float8 AS "baseSequence", base_revision_id AS "baseRevisionId", parents, type,
    merged_from AS "mergedFrom", git, created_at AS "createdAt" FROM revision WHERE space_id = $1 AND id = $2`;

const MAX_NUMBER = 2_147_483_647;

/** Heads and revisions of the lines of a space, and the locks under which they move. */
@Injectable()
export class ContentLines {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async primary(spaceId: string): Promise<PrimaryHead> {
    return found(await this.database.one<PrimaryHead>(SPACE, [spaceId]), 'Space');
  }

  /** The head of the primary line, which nobody else moves until the transaction ends. */
  async lockPrimary(spaceId: string): Promise<PrimaryHead> {
    return found(await this.database.one<PrimaryHead>(`${SPACE} FOR NO KEY UPDATE`, [spaceId]), 'Space');
  }

  /** The same for callers who hold rows of its organization: throws `notFound` also when it has left that. */
  async lockPrimaryIn(organizationId: string | undefined, spaceId: string): Promise<PrimaryHead> {
    const head = await this.lockPrimary(spaceId);
    return found(head.organizationId === organizationId ? head : undefined, 'Space');
  }

  /** A change request by id or number. */
  async request(spaceId: string, idOrNumber: string): Promise<RequestHead> {
    return found(await this.database.one<RequestHead>(REQUEST, requestValues(spaceId, idOrNumber)), 'Change request');
  }

  /** The same, and nobody else writes to it until the transaction ends. The space's row is not locked. */
  async lockRequest(spaceId: string, idOrNumber: string): Promise<RequestHead> {
    return found(
      await this.database.one<RequestHead>(`${REQUEST} FOR NO KEY UPDATE OF r`, requestValues(spaceId, idOrNumber)),
      'Change request',
    );
  }

  /** The merge rules in force for a space: its own, or inherited ones of its organization. None where it has none. */
  async mergeRules(spaceId: string): Promise<{ readonly rules: readonly MergeRule[]; readonly inherited: boolean }> {
    const row = await this.database.one<{ rules: MergeRules; inherited: boolean }>(RULES, [spaceId]);
    return { rules: row?.rules.type === 'rules' ? row.rules.rules : [], inherited: row?.inherited === true };
  }

  async revision(spaceId: string, id: string): Promise<RevisionRow> {
    return found(await this.findRevision(spaceId, id), 'Revision');
  }

  /** The same for an id in a body, where an unknown one is a fault of the body. */
  findRevision(spaceId: string, id: string): Promise<RevisionRow | undefined> {
    return this.database.one<RevisionRow & Record<string, unknown>>(REVISION, [spaceId, id]);
  }

  /** The primary sequence that a change request stood on before one of its revisions. */
  async baseBefore(spaceId: string, revision: RevisionRow): Promise<number> {
    const row = await this.database.one<{ base: number }>(
      `SELECT coalesce(
         (SELECT base_sequence FROM revision WHERE space_id = $1 AND line = $2 AND sequence = $3 - 1),
         (SELECT i.sequence FROM change_request r JOIN revision i ON i.id = r.initial_revision_id WHERE r.space_id = $1 AND r.id = $2))::float8 AS base`,
      [spaceId, revision.line, revision.sequence],
    );
    return row?.base ?? revision.baseSequence;
  }

  /** Adds a revision to its line; the head of the line is moved by `movePrimary` or `moveRequest`. Gives its id. */
  async addRevision(revision: NewRevision): Promise<string> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    await this.database.execute(
      `INSERT INTO revision (id, space_id, line, sequence, base_sequence, base_revision_id, parents, type, author_id, message, git, merged_from, rolled_back_to, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        id,
        revision.spaceId,
        revision.line,
        revision.sequence,
        revision.baseSequence,
        revision.baseRevisionId ?? null,
        revision.parents,
        revision.type,
        currentContext()?.caller?.userId ?? null,
        revision.message ?? null,
        revision.git === undefined ? null : JSON.stringify(revision.git),
        revision.mergedFrom ?? null,
        revision.rolledBackTo ?? null,
        now,
      ],
    );
    return id;
  }

  /** Makes a revision the head of the primary line. The space's row must be locked. */
  async movePrimary(spaceId: string, revisionId: string, sequence: number): Promise<void> {
    await this.database.execute(
      'UPDATE space SET revision_id = $2, sequence = $3, updated_at = $4, version = version + 1 WHERE id = $1',
      [spaceId, revisionId, sequence, this.clock.now()],
    );
  }

  /**
   * Makes a revision the head of a change request, and moves its base where one is given. Reviews of what it was before are
   * outdated unless they are kept. The row must be locked.
   */
  async moveRequest(
    id: string,
    revisionId: string,
    sequence: number,
    base: RequestBase | undefined,
    keepsReviews: boolean,
  ): Promise<void> {
    await this.database.execute(
      `UPDATE change_request SET revision_id = $2, sequence = $3, updated_at = $4, version = version + 1,
              written_sequence = CASE WHEN $7 THEN written_sequence ELSE $3 END,
              base_revision_id = coalesce($5, base_revision_id), base_sequence = coalesce($6, base_sequence), merged_ancestor_id = coalesce($5, merged_ancestor_id)
        WHERE id = $1`,
      [id, revisionId, sequence, this.clock.now(), base?.revisionId ?? null, base?.sequence ?? null, keepsReviews],
    );
  }

  /** The empty revision that every space begins with. Must run in the transaction that inserts the space, with the id that the space's row names. */
  async createInitialRevision(spaceId: string, revisionId: string): Promise<void> {
    await this.database.execute(
      `INSERT INTO revision (id, space_id, line, sequence, base_sequence, type, author_id, created_at) VALUES ($1, $2, '', 0, 0, 'edits', $3, $4)`,
      [revisionId, spaceId, currentContext()?.caller?.userId ?? null, this.clock.now()],
    );
  }
}

/** The state of the primary line at its head. */
export function primaryPoint(head: { readonly spaceId: string; readonly sequence: number }): Point {
  return { spaceId: head.spaceId, line: null, sequence: 0, base: head.sequence };
}

/** The state of a change request at its head. */
export function requestPoint(head: RequestHead): Point & { readonly line: string } {
  return { spaceId: head.spaceId, line: head.id, sequence: head.sequence, base: head.baseSequence };
}

export function revisionPoint(spaceId: string, revision: RevisionRow): Point {
  return revision.line === ''
    ? { spaceId, line: null, sequence: 0, base: revision.sequence }
    : { spaceId, line: revision.line, sequence: revision.sequence, base: revision.baseSequence };
}

/** The parameters `$1` space, `$2` id and `$3` number of a statement that finds a change request by id or number. */
export function requestValues(spaceId: string, idOrNumber: string): unknown[] {
  const number = /^\d{1,10}$/.test(idOrNumber) ? Number(idOrNumber) : 0;
  return [spaceId, idOrNumber, number <= MAX_NUMBER ? number : 0];
}

function found<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw notFound(what);
  return row;
}
