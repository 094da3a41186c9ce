import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';

const LAST = 'SELECT max(n.sequence) FROM notification n WHERE n.user_id = i.user_id';

/** Letters that have failed so often in a row will hardly go out without a change. */
const MANY_FAILURES = 3;

/** Letters about notifications go out. */
export const LETTERS_SENT: Invariant = {
  group: 'queues',
  name: 'letters',
  holds: 'letters about notifications go out',
  broken: 'people whose letters could not be sent several times in a row',
  level: 'warning',
  over: { table: 'notification_inbox', key: 'user_id' },
  find: `SELECT i.user_id AS id, NULL AS example FROM notification_inbox i WHERE i.user_id = ANY ($1) AND i.mail_failures >= ${MANY_FAILURES}`,
  advice: 'Look into the log of the servers for the answer of the mail server',
};

/** The next notification of a person gets a number that none has. */
export const NOTIFICATIONS_NUMBERED: Invariant = {
  name: 'notification-numbers',
  holds: 'the next notification of each person has a new number',
  broken: 'people whose next notification would have a number that is taken',
  over: { table: 'notification_inbox', key: 'user_id' },
  find: `SELECT i.user_id AS id, NULL AS example FROM notification_inbox i WHERE i.user_id = ANY ($1) AND i.sequence < (${LAST})`,
  mend: {
    done: 'numbers go on behind the last',
    statements: [`UPDATE notification_inbox i SET sequence = greatest(i.sequence, (${LAST})) WHERE i.user_id = $1`],
  },
};
