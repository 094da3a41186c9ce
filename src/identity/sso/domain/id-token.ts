import { LOGIN_LIFE } from './browser-cookie.js';
import { CLOCK_SKEW } from './clock-skew.js';
import { comparison, LoginFault, timeText, type Comparison } from './login-fault.js';
import { displayName, emailAddress, type AssertedPerson, type Attributes } from './person.js';

/** Values by which providers mark addresses as verified; some omit it, some write a text. */
const VERIFIED: readonly unknown[] = [undefined, true, 'true'];

export type Claims = Readonly<Record<string, unknown>>;

/**
 * Checks of a verified id token beyond those of the library (OpenID Connect Core 1.0, 3.1.3.7): that it was issued for
 * this service only, and in this login. Throws `LoginFault`.
 */
export function checkIdToken({ azp, iat, exp }: Claims, clientID: string, now: Date): void {
  if (azp !== undefined && azp !== clientID)
    throw new LoginFault('The id token was made for another application: compare the client id', {
      compared: [comparison('azp', clientID, azp)],
    });
  if (typeof iat !== 'number' || typeof exp !== 'number')
    throw new LoginFault('The id token does not say when it was issued (iat) and when it ends (exp)');
  const [made, end, time] = [iat * 1000, exp * 1000, now.getTime()];
  const bounds = (name: string, expected: string, received: number): { compared: Comparison[] } => ({
    compared: [comparison(name, expected, timeText(received))],
  });
  if (made > time + CLOCK_SKEW)
    throw new LoginFault(
      'The answer of the identity provider is not valid yet: compare the clocks of both servers',
      bounds('iat', `not later than ${timeText(time + CLOCK_SKEW)}`, made),
    );
  const over = 'The answer of the identity provider is not valid any more: begin the login again';
  if (made < time - LOGIN_LIFE - CLOCK_SKEW)
    throw new LoginFault(over, bounds('iat', `not before ${timeText(time - LOGIN_LIFE - CLOCK_SKEW)}`, made));
  if (end <= time - CLOCK_SKEW)
    throw new LoginFault(over, bounds('exp', `later than ${timeText(time - CLOCK_SKEW)}`, end));
}

/**
 * The person in verified claims: `domains` are those whose addresses are admitted, none for all. Throws `LoginFault`
 * for a person without an address, with one that the provider has not verified, or with one of another domain.
 */
export function personOf(claims: Claims, domains: readonly string[]): AssertedPerson {
  const email = typeof claims['email'] === 'string' ? emailAddress(claims['email'].trim()) : undefined;
  if (email === undefined)
    throw new LoginFault(
      'The identity provider does not tell your e-mail address: it has to answer the scope email with one',
    );
  if (!VERIFIED.includes(claims['email_verified']))
    throw new LoginFault('The identity provider has not verified your e-mail address');
  if (domains.length > 0 && !domains.includes(email.slice(email.lastIndexOf('@') + 1)))
    throw new LoginFault('Your e-mail address is of no domain that is let in here');
  return {
    email,
    displayName: displayName(claims['name']) ?? displayName(claims['given_name'], claims['family_name']),
    attributes: claimTexts(claims),
  };
}

/** Claims that are texts, numbers or booleans, or lists of them, as texts. */
export function claimTexts(claims: Claims): Attributes {
  return Object.fromEntries(
    Object.entries(claims).flatMap(([name, value]) => {
      const texts = [value]
        .flat()
        .flatMap((each) => (['string', 'number', 'boolean'].includes(typeof each) ? String(each) : []));
      return texts.length > 0 ? [[name, texts]] : [];
    }),
  );
}
