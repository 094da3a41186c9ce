import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import type { AuditEventRow, AuditEventsQuery, FormerMemberRow, FormerMembersQuery } from './audit.schema.js';

/** Maximum of the count of lines: a log is unlimited, and nobody reads so many pages. */
const MAX_COUNT = 10_000;

const COLUMNS = `e.id, e.organization_id AS "organizationId", e.event_id AS "eventId", e.occurred_at AS "occurredAt", e.action, e.source, e.actor_type AS "actorType",
  e.actor_id AS "actorId", e.actor_label AS "actorLabel", e.token_id AS "tokenId", e.token_name AS "tokenName", e.agent, e.ip, e.user_agent AS "userAgent", e.request_id AS "requestId",
  e.target_type AS "targetType", e.target_id AS "targetId", e.target_label AS "targetLabel", e.payload`;

/** The last ends of memberships, each of a person who is no member. */
const FORMER_MEMBERS = `FROM audit_event e
  WHERE e.organization_id = $1 AND e.action = 'member_removed' AND ($2 = '' OR strpos(lower(e.target_label), lower($2)) > 0)
    AND NOT EXISTS (SELECT FROM member m WHERE m.organization_id = $1 AND m.user_id = e.target_id)
    AND NOT EXISTS (
      SELECT FROM audit_event later WHERE later.organization_id = $1 AND later.target_id = e.target_id AND later.action = 'member_removed'
        AND (later.occurred_at, later.id) > (e.occurred_at, e.id))`;

type Row = AuditEventRow & Record<string, unknown>;

/** The audit logs of organizations, which only the outbox writes. */
@Injectable()
export class AuditEvents {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
  ) {}

  /** Lists the lines of an organization, latest first; the count ends at 10,000. */
  list(organizationId: string, query: AuditEventsQuery): Promise<Page<AuditEventRow>> {
    const { actor, target } = query;
    const [from, to] = [query.from, query.to].map((time) => time && new Date(time));
    const actions = query.action && [...new Set(query.action)].sort();
    const values: unknown[] = [organizationId];
    const conditions = ['e.organization_id = $1'];
    // Only the requested conditions, so that each can use its index.
    const where = (value: unknown, condition: (parameter: string) => string): void => {
      if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
    };
    if (actions?.length === 1) where(actions[0], (parameter) => `e.action = ${parameter}`);
    else where(actions, (parameter) => `e.action = ANY (${parameter})`);
    where(actor, (parameter) => `e.actor_id = ${parameter}`);
    where(target, (parameter) => `e.target_id = ${parameter}`);
    where(from, (parameter) => `e.occurred_at >= ${parameter}`);
    where(to, (parameter) => `e.occurred_at <= ${parameter}`);
    const rows = `FROM audit_event e WHERE ${conditions.join(' AND ')}`;
    return this.pages.list<Row>(query, {
      scope: ['audit-events', organizationId, actions, actor, target, from, to],
      select: COLUMNS,
      from: rows,
      values,
      count: `SELECT count(*) AS count FROM (SELECT ${rows} LIMIT ${MAX_COUNT}) counted`,
      order: [
        { expression: 'e.occurred_at', type: 'timestamptz' },
        { expression: 'e.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  /**
   * Lists the people whose membership has ended and who have not come back, latest first. What somebody did is never kept
   * longer than the end of their membership, so everybody without one who did something is found here.
   */
  formerMembers(organizationId: string, query: FormerMembersQuery): Promise<Page<FormerMemberRow>> {
    const { search = '' } = query;
    return this.pages.list<FormerMemberRow & Record<string, unknown>>(query, {
      scope: ['former-members', organizationId, search],
      select: 'e.target_id AS id, e.target_label AS label, e.occurred_at AS "leftAt"',
      from: FORMER_MEMBERS,
      values: [organizationId, search],
      order: [
        { expression: 'e.occurred_at', type: 'timestamptz' },
        { expression: 'e.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  async get(organizationId: string, id: string): Promise<AuditEventRow> {
    const row = await this.database.one<Row>(
      `SELECT ${COLUMNS} FROM audit_event e WHERE e.organization_id = $1 AND e.id = $2`,
      [organizationId, id],
    );
    if (!row) throw notFound('Audit event');
    return row;
  }
}
