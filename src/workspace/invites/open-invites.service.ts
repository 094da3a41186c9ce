import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { InviteAttempts } from './invite-attempts.js';
import type { ShownInvitation, ShownInviteLink } from './open-invites.schema.js';

/** The part of an invite that its holders see before they have an account; wrong secrets count against their address. */
@Injectable()
export class OpenInvites {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly attempts: InviteAttempts,
  ) {}

  /** Throws `notFound` for unknown, used and old secrets. */
  invitation(secret: string): Promise<ShownInvitation> {
    return this.attempts.guard(() =>
      this.database.one<ShownInvitation & Record<string, unknown>>(
        `SELECT i.email, i.role, o.id AS "organizationId", o.title AS "organizationTitle", by.display_name AS "invitedBy", i.expires_at AS "expiresAt",
                EXISTS (SELECT FROM account a WHERE lower(a.email) = lower(i.email)) AS "hasAccount"
           FROM invitation i JOIN organization o ON o.id = i.organization_id JOIN account by ON by.id = i.created_by
          WHERE i.hash = $1 AND i.expires_at > $2`,
        [hashSecret(secret), this.clock.now()],
      ),
    );
  }

  /** Throws `notFound` for unknown links, and while links are switched off. */
  link(secret: string): Promise<ShownInviteLink> {
    return this.attempts.guard(() =>
      this.database.one<ShownInviteLink & Record<string, unknown>>(
        `SELECT o.id AS "organizationId", o.title AS "organizationTitle", l.role, s.title AS space, c.title AS collection
           FROM invite_link l JOIN organization o ON o.id = l.organization_id AND o.invite_links
                LEFT JOIN space s ON s.id = l.space_id LEFT JOIN collection c ON c.id = l.collection_id
          WHERE l.hash = $1 AND s.deleted_at IS NULL`,
        [hashSecret(secret)],
      ),
    );
  }
}
