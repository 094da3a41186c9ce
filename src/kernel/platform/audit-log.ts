import type { RequestContext } from '../common/context.js';
import { TARGET_LABELS, type AuditedType } from './audit-table.js';
import { EVENTS, type NewEvent } from './event-table.js';

/** The id of the actor where nobody asked for the change: a job, or the command line. */
const SYSTEM_ACTOR = 'system';

/** The organizations whose log tells of an event of a person: all where the token opens them all. */
const ORGANIZATIONS_OF_PERSON = `SELECT r.organization_id AS id WHERE r.organization_id IS NOT NULL
      UNION ALL SELECT m.organization_id FROM member m WHERE r.organization_id IS NULL AND m.user_id = r.payload ->> 'userId'`;

/**
 * The part of the statement that records an event, as `recorded`, which writes its lines of the audit log; from `$11` on it takes
 * `auditValues`. Names are those of that moment, so that lines can be read when what they name is gone.
 */
export function auditLines(type: AuditedType): string {
  const { scope, target } = EVENTS[type];
  return `,
  audited AS (
    INSERT INTO audit_event (id, organization_id, event_id, occurred_at, action, source, actor_type, actor_id, actor_label, token_id, token_name, ip, user_agent, request_id, target_type, target_id, target_label, payload)
    SELECT gen_random_uuid()::text, o.id, r.id, r.at, r.type, $11, $12, $13, coalesce($14, (SELECT a.display_name FROM account a WHERE a.id = r.actor_id)),
           r.token_id, (SELECT t.name FROM api_token t WHERE t.id = r.token_id), r.ip, $15, $16, '${target}', r.target, coalesce($17, ${TARGET_LABELS[target] ?? 'NULL'}), $18
      FROM recorded r CROSS JOIN LATERAL (${scope === 'account' ? ORGANIZATIONS_OF_PERSON : 'SELECT r.organization_id AS id'}) o)`;
}

/** The parameters of `auditLines`. */
export function auditValues({ spaceId, target, payload, audit }: NewEvent, userId: string | null, context: RequestContext | undefined): unknown[] {
  const provider = context?.caller === undefined && context?.acting?.type === 'integration' ? context.acting : undefined;
  const actor = provider ?? (userId === null ? { type: 'system', id: SYSTEM_ACTOR, label: 'Bindery' } : { type: 'user', id: userId, label: null });
  const details = { ...payload, ...(spaceId && spaceId !== target && { spaceId }), ...(audit?.person !== undefined && { person: audit.person }), ...(audit?.changes && { changes: audit.changes }) };
  return [
    context ? (context.source ?? 'api') : 'workflow',
    actor.type,
    actor.id,
    actor.label,
    context?.userAgent ?? null,
    context?.requestId ?? null,
    audit?.label ?? null,
    JSON.stringify(details),
  ];
}
