import { TOKEN_CONDITIONS } from '../../kernel/access/access.points.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { letsIn } from '../organizations/lets-in.js';

export const SESSIONS_CONTRIBUTIONS: readonly Contribution[] = [
  // A session that is limited to an organization is no login through its provider, unless it began there.
  TOKEN_CONDITIONS.with(
    `(t.kind <> 'session' OR t.organization_id IS NULL
      OR EXISTS (SELECT FROM browser_session bs WHERE bs.token_id = t.id AND bs.method = 'sso')
      OR ${letsIn('t.user_id', 't.organization_id', { limitedTo: 'NULL', address: 'NULL' })})`,
  ),
];
