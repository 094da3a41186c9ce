import { comparison, LoginFault, timeText } from './login-fault.js';

/**
 * Throws `LoginFault` if the session at the identity provider has ended. No clock skew is added: the resulting token
 * ends at the same time.
 */
export function requireSession(end: Date, now: Date): void {
  if (end > now) return;
  throw new LoginFault(
    'The session at the identity provider is over: log in there again, or compare the clocks of both servers',
    { compared: [comparison('SessionNotOnOrAfter', `later than ${timeText(now.getTime())}`, timeText(end.getTime()))] },
  );
}
