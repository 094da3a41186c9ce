import type { Secrets } from '../../kernel/common/secrets.js';

/** The token in the address by which the reader of a letter ends all letters: it works always, and for nothing else. */
export function unsubscribeToken(secrets: Secrets, userId: string): string {
  return `${userId}.${secrets.sign('unsubscribe', userId)}`;
}

/** The person whom a token is for; undefined for one that this service has not made. */
export function unsubscribedUser(secrets: Secrets, token: string): string | undefined {
  const [userId = '', signature = '', ...rest] = token.split('.');
  return rest.length === 0 && secrets.verify('unsubscribe', userId, signature) ? userId : undefined;
}
