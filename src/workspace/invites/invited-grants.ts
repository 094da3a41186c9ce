import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { atLeast, type AccessLevel } from '../../kernel/common/roles.js';
import { Outbox } from '../../kernel/platform/outbox.js';

/** Grants what invite links to single spaces and collections promise. */
@Injectable()
export class InvitedGrants {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  /** Gives a role on a space to a member who has less there. */
  onSpace(caller: Caller, organizationId: string, id: string, role: AccessLevel): Promise<void> {
    return this.grant(caller, organizationId, 'space', id, role);
  }

  /** The same on a collection. */
  onCollection(caller: Caller, organizationId: string, id: string, role: AccessLevel): Promise<void> {
    return this.grant(caller, organizationId, 'collection', id, role);
  }

  private async grant(
    caller: Caller,
    organizationId: string,
    kind: 'space' | 'collection',
    id: string,
    role: AccessLevel,
  ): Promise<void> {
    // The role of the caller, though single sign-on may keep the token out.
    const member = { ...caller, organizationId };
    const now = kind === 'space' ? await this.access.space(member, id) : await this.access.collection(member, id);
    if (atLeast(now?.role ?? 'none', role)) return;
    const [columns, values] = kind === 'space' ? ['space_id', '$1'] : ['organization_id, collection_id', '$5, $1'];
    const granted = await this.database.one<{ before: AccessLevel | null }>(
      `WITH held AS (SELECT role FROM ${kind}_member_grant WHERE ${kind}_id = $1 AND user_id = $2)
       INSERT INTO ${kind}_member_grant AS g (${columns}, user_id, role, created_at) SELECT ${values}, $2, $3::access_level, $4 WHERE $5::text IS NOT NULL
       ON CONFLICT (${kind}_id, user_id) DO UPDATE SET role = excluded.role, custom_role_id = NULL RETURNING (SELECT held.role FROM held) AS before`,
      [id, caller.userId, role, this.clock.now(), organizationId],
    );
    const payload = { role, userIds: [caller.userId], teamIds: [] };
    const audit = { changes: [{ field: 'role', before: granted?.before ?? null, after: role, userId: caller.userId }] };
    if (kind === 'space')
      await this.outbox.record({
        type: 'space_permission_set',
        organizationId,
        spaceId: id,
        target: id,
        payload,
        audit,
      });
    else await this.outbox.record({ type: 'collection_permission_set', organizationId, target: id, payload, audit });
  }
}
