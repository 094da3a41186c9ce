import { INVARIANTS } from '../../kernel/platform/health-checks/health-checks.points.js';
import { LETTERS_SENT, NOTIFICATIONS_NUMBERED } from './notifications.invariants.js';
import { MEMBERSHIP_END } from '../../identity/organizations/organizations.points.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { organizationOf } from './notifications.statements.js';

export const NOTIFICATIONS_CONTRIBUTIONS: readonly Contribution[] = [
  MEMBERSHIP_END.with((database, { organizationId, userId }) =>
    database.execute(`DELETE FROM notification n WHERE n.user_id = $2 AND ${organizationOf('n')} = $1`, [
      organizationId,
      userId,
    ]),
  ),
  MEMBERSHIP_END.with((database, { organizationId, userId }) =>
    database.execute('DELETE FROM notification_settings g WHERE g.user_id = $2 AND g.organization_id = $1', [
      organizationId,
      userId,
    ]),
  ),
  INVARIANTS.with(NOTIFICATIONS_NUMBERED),
  INVARIANTS.with(LETTERS_SENT),
];
