import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { actingAgent, currentContext } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import type { MergeRule, MergeRules } from '../../identity/organizations/domain/merge-rules.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { SpaceStore } from '../../workspace/spaces/space-store.js';
import { isTranslation } from '../../workspace/spaces/translated-spaces.js';
import type { Point } from './content-store.js';
import { REQUEST_LINES, type NextHead, type RequestHead, type RequestLines } from './request-lines.js';

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
  /** The space is a translation of another one: people change its words alone. */
  readonly isTranslation: boolean;
}

/** A stored revision and its position in the history of its line. */
export interface RevisionRow {
  readonly id: string;
  readonly line: string;
  readonly sequence: number;
  readonly baseSequence: number;
  readonly baseRevisionId: string | null;
  readonly parents: readonly string[];
  readonly type: RevisionType;
  readonly mergedFrom: string | null;
  /** The revision of another space that a computed one follows from; what is computed from a specification has none. */
  readonly sourceRevision: string | null;
  readonly git: unknown;
  readonly createdAt: Date;
}

export interface NewRevision {
  readonly id: string;
  readonly spaceId: string;
  /** '' is the primary line. */
  readonly line: string;
  readonly sequence: number;
  readonly baseSequence: number;
  readonly baseRevisionId?: string;
  readonly parents: readonly string[];
  readonly type: RevisionType;
  readonly mergedFrom?: string;
  readonly sourceRevision?: string;
  readonly rolledBackTo?: string;
  readonly message?: string;
  readonly git?: unknown;
}

const RULES = `SELECT s.merge_rules ->> 'type' = 'inherit' AS inherited, CASE s.merge_rules ->> 'type' WHEN 'inherit' THEN o.merge_rules ELSE s.merge_rules END AS rules
  FROM space s JOIN organization o ON o.id = s.organization_id WHERE s.id = $1`;

const REVISION = `SELECT id, line, sequence::float8 AS sequence, base_sequence::float8 AS "baseSequence", base_revision_id AS "baseRevisionId", parents, type,
    merged_from AS "mergedFrom", source_revision AS "sourceRevision", git, created_at AS "createdAt" FROM revision WHERE space_id = $1 AND id = $2`;

/** Heads and revisions of the lines of a space, and the locks under which they move. */
@Injectable()
export class ContentLines implements OnModuleInit {
  private readonly space: string;
  private requests: RequestLines;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly registry: Registry,
    private readonly modules: ModuleRef,
    private readonly spaces: SpaceStore,
  ) {
    this.space = `SELECT id AS "spaceId", organization_id AS "organizationId", edit_mode AS "editMode", language,
        revision_id AS "revisionId", sequence::float8 AS sequence, version, ${isTranslation(registry, 'space.id')} AS "isTranslation"
      FROM space WHERE id = $1 AND deleted_at IS NULL`;
  }

  onModuleInit(): void {
    this.requests = this.modules.get(this.registry.contributionTo(REQUEST_LINES), { strict: false });
  }

  async primary(spaceId: string): Promise<PrimaryHead> {
    return found(await this.database.one<PrimaryHead>(this.space, [spaceId]), 'Space');
  }

  /** The head of the primary line, locked until the transaction ends. */
  async lockPrimary(spaceId: string): Promise<PrimaryHead> {
    return found(await this.database.one<PrimaryHead>(`${this.space} FOR NO KEY UPDATE`, [spaceId]), 'Space');
  }

  /**
   * Like `lockPrimary`, for callers who hold rows of its organization, or have asked for them: throws `notFound` also if
   * the space has left that.
   */
  async lockPrimaryIn(
    organizationId: string | undefined | Promise<string | undefined>,
    spaceId: string,
  ): Promise<PrimaryHead> {
    const [held, head] = await Promise.all([organizationId, this.lockPrimary(spaceId)]);
    return found(head.organizationId === held ? head : undefined, 'Space');
  }

  /** A change request by id or number. */
  async request(spaceId: string, idOrNumber: string): Promise<RequestHead> {
    return found(await this.requests.head(spaceId, idOrNumber, false), 'Change request');
  }

  /** The present revisions of change requests, by their ids. */
  requestRevisions(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.requests.revisions(ids);
  }

  /** Like `request`, locked against other writes until the transaction ends. The space's row is not locked. */
  async lockRequest(spaceId: string, idOrNumber: string): Promise<RequestHead> {
    return found(await this.requests.head(spaceId, idOrNumber, true), 'Change request');
  }

  /**
   * The merge rules in force for a space: its own, or those inherited from its organization; none if there are none.
   */
  async mergeRules(spaceId: string): Promise<{ readonly rules: readonly MergeRule[]; readonly inherited: boolean }> {
    const row = await this.database.one<{ rules: MergeRules; inherited: boolean }>(RULES, [spaceId]);
    return { rules: row?.rules.type === 'rules' ? row.rules.rules : [], inherited: row?.inherited === true };
  }

  async revision(spaceId: string, id: string): Promise<RevisionRow> {
    return found(await this.findRevision(spaceId, id), 'Revision');
  }

  /** Like `revision`, for an id in a body, where an unknown one is a fault of the body. */
  findRevision(spaceId: string, id: string): Promise<RevisionRow | undefined> {
    return this.database.one<RevisionRow & Record<string, unknown>>(REVISION, [spaceId, id]);
  }

  /**
   * The primary sequence that a change request was based on before one of its revisions; the first one has a primary
   * revision before it.
   */
  async baseBefore(spaceId: string, revision: RevisionRow): Promise<number> {
    const row = await this.database.one<{ base: number }>(
      'SELECT (CASE line WHEN $2 THEN base_sequence ELSE sequence END)::float8 AS base FROM revision WHERE space_id = $1 AND id = $3',
      [spaceId, revision.line, revision.parents[0]],
    );
    return row?.base ?? revision.baseSequence;
  }

  /** Adds a revision to its line; the head of the line is moved by `movePrimary` or `moveRequest`. */
  async addRevision(revision: NewRevision): Promise<void> {
    await this.database.execute(
      `INSERT INTO revision (id, space_id, line, sequence, base_sequence, base_revision_id, parents, type, author_id, message, git, merged_from, rolled_back_to, created_at, agent, source_revision)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
      [
        revision.id,
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
        this.clock.now(),
        actingAgent(),
        revision.sourceRevision ?? null,
      ],
    );
  }

  /** Makes a revision the head of the primary line. The space's row must be locked. */
  movePrimary(spaceId: string, revisionId: string, sequence: number): Promise<void> {
    return this.spaces.moveHead(spaceId, revisionId, sequence);
  }

  /** Makes a revision the head of a change request, whose row must be locked. */
  moveRequest(id: string, next: NextHead): Promise<void> {
    return this.requests.moveHead(id, next);
  }

  /** A change request in its API form. */
  shownRequest(space: SpaceAccess, id: string): Promise<object> {
    return this.requests.shown(space, id);
  }

  /**
   * The empty revision with which every space begins. Must run in the transaction that inserts the space, with the id
   * in the space's row.
   */
  async createInitialRevision(spaceId: string, revisionId: string): Promise<void> {
    await this.database.execute(
      `INSERT INTO revision (id, space_id, line, sequence, base_sequence, type, author_id, created_at) VALUES ($1, $2, '', 0, 0, 'edits', $3, $4)`,
      [revisionId, spaceId, currentContext()?.caller?.userId ?? null, this.clock.now()],
    );
  }
}

/** The state of the primary line at its head; `hidden` are the pages that whoever reads it does not see. */
export function primaryPoint(
  head: { readonly spaceId: string; readonly sequence: number },
  hidden: readonly string[],
): Point {
  return { spaceId: head.spaceId, line: null, sequence: 0, base: head.sequence, hidden };
}

/** The state of a change request at its head. */
export function requestPoint(head: RequestHead, hidden: readonly string[]): Point & { readonly line: string } {
  return { spaceId: head.spaceId, line: head.id, sequence: head.sequence, base: head.baseSequence, hidden };
}

/** The state that the changes of a change request are the difference to. */
export function requestBase({ spaceId, continued, baseSequence }: RequestHead, hidden: readonly string[]): Point {
  return continued === null
    ? primaryPoint({ spaceId, sequence: baseSequence }, hidden)
    : { spaceId, line: continued.line, sequence: continued.sequence, base: continued.baseSequence, hidden };
}

export function revisionPoint(spaceId: string, revision: RevisionRow, hidden: readonly string[]): Point {
  return revision.line === ''
    ? { spaceId, line: null, sequence: 0, base: revision.sequence, hidden }
    : { spaceId, line: revision.line, sequence: revision.sequence, base: revision.baseSequence, hidden };
}

function found<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw notFound(what);
  return row;
}
