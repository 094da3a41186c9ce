import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import { Clock } from '../common/clock.js';
import type { Caller } from '../common/context.js';
import { Database } from '../common/database.js';
import { hashSecret } from '../common/secrets.js';
import { LastSeen } from './last-seen.js';

interface TokenRow {
  id: string;
  userId: string;
  organizationId: string | null;
  scopes: string[] | null;
  expiresAt: Date | null;
}

/** Finds the user of an API token by the token's hash; revoked, expired and disabled ones are refused at once. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lastSeen: LastSeen,
  ) {
    super({ realm: 'bindery' });
  }

  async validate(token: string): Promise<Caller | false> {
    const row = await this.database.one<TokenRow>(
      `SELECT t.id, t.user_id AS "userId", t.organization_id AS "organizationId", t.scopes, t.expires_at AS "expiresAt"
         FROM api_token t JOIN account a ON a.id = t.user_id
        WHERE t.hash = $1 AND NOT a.disabled`,
      [hashSecret(token)],
    );
    const now = this.clock.now();
    if (!row || (row.expiresAt && row.expiresAt <= now)) return false;
    this.lastSeen.note(row.id, row.userId, now);
    return {
      userId: row.userId,
      tokenId: row.id,
      organizationId: row.organizationId ?? undefined,
      scopes: row.scopes ?? undefined,
    };
  }
}
