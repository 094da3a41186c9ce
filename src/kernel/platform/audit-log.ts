import type { RequestContext } from '../common/context.js';
import type { AuditedType, NewEvent } from './manifest/events.js';
import type { Registry } from './manifest/registry.js';

/** The id of the actor if no person asked for the change: a job, or the command line. */
const SYSTEM_ACTOR = 'system';

/** The columns of a line of the audit log, in the order in which `auditLines` selects them. */
export const AUDIT_COLUMNS =
  'id, organization_id, event_id, occurred_at, action, source, actor_type, actor_id, actor_label, token_id, token_name, ip, user_agent, request_id, target_type, target_id, target_label, payload, agent';

/** The organization of an event. */
const ITS_ORGANIZATION = 'SELECT r.organization_id AS id WHERE r.organization_id IS NOT NULL';

/**
 * The part of the statement that records an event, as `recorded`, which writes its lines of the audit log; from `$11`
 * on it takes `auditValues`. Names are stored as of that moment, so that lines stay readable after the named objects
 * are deleted.
 */
export function auditLines(registry: Registry, type: AuditedType): string {
  const event = registry.event(type);
  const { insertion, actorLabel = 'NULL', tokenName = 'NULL', organizationsOfPerson } = registry.auditSources;
  if (insertion === undefined) throw new Error(`no module keeps the audit log, to which ${type} belongs`);
  const others =
    event.scope === 'account' && organizationsOfPerson !== undefined
      ? ` UNION ALL SELECT p.id FROM (${organizationsOfPerson}) p (id) WHERE r.organization_id IS NULL`
      : '';
  return `,
  audited AS (
    ${insertion}
    SELECT gen_random_uuid()::text, o.id, r.id, r.at, r.type, $11, $12, $13, coalesce($14, ${actorLabel}),
           r.token_id, ${tokenName}, r.ip, $15, $16, '${event.target}', r.target, coalesce($17, ${registry.labelOf(event)}), $18, $19
      FROM recorded r CROSS JOIN LATERAL (${ITS_ORGANIZATION}${others}) o)`;
}

/** The parameters of `auditLines`. */
export function auditValues(
  { spaceId, target, payload, audit }: NewEvent,
  userId: string | null,
  context: RequestContext | undefined,
): unknown[] {
  const provider =
    context?.caller === undefined && context?.acting?.type === 'integration' ? context.acting : undefined;
  const actor =
    provider ??
    (userId === null
      ? { type: 'system', id: SYSTEM_ACTOR, label: 'Bindery' }
      : { type: 'user', id: userId, label: null });
  const details = {
    ...payload,
    ...(spaceId && spaceId !== target && { spaceId }),
    ...(audit?.person !== undefined && { person: audit.person }),
    ...(audit?.changes && { changes: audit.changes }),
  };
  return [
    context ? (context.source ?? 'api') : 'workflow',
    actor.type,
    actor.id,
    actor.label,
    context?.userAgent ?? null,
    context?.requestId ?? null,
    audit?.label ?? null,
    JSON.stringify(details),
    context?.caller?.agent ?? null,
  ];
}
