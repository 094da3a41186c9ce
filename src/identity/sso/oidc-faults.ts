import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { OutboundError } from '../../kernel/platform/outbound/outbound-error.js';
import { comparison, LoginFault, type Comparison } from './domain/login-fault.js';
import { explainOpenIdError, type Explanation } from './domain/oidc-explanations.js';

/** Codes of RFC 6749 with known remedies. */
const ADVICE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    access_denied: 'The identity provider did not let you in',
    invalid_client: 'The identity provider does not know us: compare client id and secret',
    unauthorized_client: 'The identity provider does not know us: compare client id and secret',
    invalid_scope: 'The identity provider does not know the scopes that it is asked for',
    invalid_grant: 'The identity provider does not take the code of this login: begin the login again',
  }),
);

/** The form of error codes in RFC 6749. */
const CODE = /^[a-z_]{1,60}$/;

/**
 * Converts errors of the library about a provider's responses to our own words for the person at the browser and for
 * administrators; foreign values appear only where they have to be compared.
 */
export function asLoginFault(error: unknown, what: string): LoginFault {
  if (error instanceof LoginFault) return error;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return faultOf(error.error, what);
  if (error instanceof WWWAuthenticateChallengeError)
    return faultOf(challengedError(error), what, [comparison('HTTP status', '200', error.status)]);
  const causes = causesOf(error);
  const refused = causes.findLast((cause) => cause instanceof OutboundError);
  if (refused) return new LoginFault(`${what}: ${refused.message}`);
  const { words, compared } = causes.reduceRight<Explanation | undefined>(
    (found, cause) => found ?? explainOpenIdError(cause),
    undefined,
  ) ?? { words: 'it is not as the standard says' };
  return new LoginFault(`${what}: ${words}`, { ...(compared && { compared }) });
}

/** The fault that an error code of a provider stands for. */
function faultOf(code: string, what: string, more: readonly Comparison[] = []): LoginFault {
  const compared = [...(CODE.test(code) ? [comparison('error', '(none)', code)] : []), ...more];
  return new LoginFault(ADVICE.get(code) ?? `${what}: the identity provider answered with an error`, { compared });
}

/** The error code in a challenge; one to name a client means that the provider does not know ours (RFC 6749, 5.2). */
function challengedError({ cause }: WWWAuthenticateChallengeError): string {
  const code = cause.find(({ parameters }) => parameters.error !== undefined)?.parameters.error;
  return code ?? (cause.some(({ scheme }) => scheme.toLowerCase() === 'basic') ? 'invalid_client' : '');
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
