import { comparison, LoginFault, timeText } from './login-fault.js';

/** Throws `LoginFault` where the session at the identity provider is over. No skew of clocks is added: what the login ends in lasts as long. */
export function requireSession(end: Date, now: Date): void {
  if (end > now) return;
  throw new LoginFault(
    'The session at the identity provider is over: log in there again, or compare the clocks of both servers',
    { compared: [comparison('SessionNotOnOrAfter', `later than ${timeText(now.getTime())}`, timeText(end.getTime()))] },
  );
}
