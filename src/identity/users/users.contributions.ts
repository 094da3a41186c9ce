import { TOKEN_USES, TOKENS } from '../../kernel/access/access.points.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';

export const USERS_CONTRIBUTIONS: readonly Contribution[] = [
  TOKENS.with({
    columns: `t.id AS "tokenId", t.user_id AS "userId", t.organization_id AS "limitedTo", t.scopes, t.expires_at AS "expiresAt", t.agent`,
    from: 'api_token t JOIN account u ON u.id = t.user_id AND NOT u.disabled',
  }),
  TOKEN_USES.with('UPDATE api_token t SET last_used_at = s.at FROM seen s WHERE t.id = s."tokenId"'),
];
