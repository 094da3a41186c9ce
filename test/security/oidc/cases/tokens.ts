import { expect } from '@jest/globals';
import { token, withClaims, type Case } from './case.js';

const TIME: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const bound = (text: string): readonly [unknown, unknown] => [
  expect.stringMatching(new RegExp(`^${text} \\d{4}-[\\dT:-]+Z$`)),
  TIME,
];
const seconds = (from = 0): number => Math.floor(Date.now() / 1000) + from;

/** Id tokens of which something is wrong: who signed them, for whom they are, when, or about whom. */
export const TOKENS: readonly Case[] = [
  {
    name: 'another issuer',
    wish: withClaims(() => ({ iss: 'https://other.test' })),
    reason: /issued by another issuer/,
    compared: ({ issuer }) => ({ iss: [issuer, 'https://other.test'] }),
  },
  { name: 'no issuer', wish: withClaims(() => ({ iss: undefined })), reason: /lacks its issuer \(iss\)/ },
  {
    name: 'another audience',
    wish: withClaims(() => ({ aud: 'another-client' })),
    reason: /another audience: compare the client id/,
    compared: ({ clientID }) => ({ aud: [clientID, 'another-client'] }),
  },
  {
    name: 'a sentence and markup as its audience',
    wish: withClaims(() => ({ aud: ['Call 555-0100', '<script>x</script>'] })),
    reason: /another audience/,
    compared: ({ clientID }) => ({ aud: [clientID, '(something that cannot be shown), &#x3C;script>x&#x3C;/script>'] }),
  },
  { name: 'no audience', wish: withClaims(() => ({ aud: undefined })), reason: /lacks its audience/ },
  {
    name: 'a second audience without saying whose it is',
    wish: withClaims(({ aud }) => ({ aud: [aud, 'another-client'] })),
    reason: /audience/,
  },
  {
    name: 'two audiences, made for the other',
    wish: withClaims(({ aud }) => ({ aud: [aud, 'another-client'], azp: 'another-client' })),
    reason: /authorized party/,
  },
  {
    name: 'made for another application',
    wish: withClaims(() => ({ azp: 'another-client' })),
    reason: /another application/,
    compared: ({ clientID }) => ({ azp: [clientID, 'another-client'] }),
  },
  { name: 'another nonce', wish: withClaims(() => ({ nonce: 'of-another-login' })), reason: /nonce/ },
  { name: 'no nonce', wish: withClaims(() => ({ nonce: undefined })), reason: /nonce/ },
  { name: 'no subject', wish: withClaims(() => ({ sub: undefined })), reason: /subject/ },
  {
    name: 'over',
    wish: withClaims(() => ({ exp: seconds(-120) })),
    reason: /not valid any more/,
    compared: () => ({ exp: bound('later than') }),
  },
  { name: 'without an end', wish: withClaims(() => ({ exp: undefined })), reason: /lacks its end \(exp\)/ },
  { name: 'an end that is no time', wish: withClaims(() => ({ exp: '9999999999' })), reason: /no usable end \(exp\)/ },
  {
    name: 'not begun',
    wish: withClaims(() => ({ nbf: seconds(180) })),
    reason: /not valid yet/,
    compared: () => ({ nbf: bound('not later than') }),
  },
  {
    name: 'of the future',
    wish: withClaims(() => ({ iat: seconds(180) })),
    reason: /not valid yet/,
    compared: () => ({ iat: bound('not later than') }),
  },
  {
    name: 'of a time that no calendar has',
    wish: withClaims(() => ({ iat: 1e300, exp: 1e301 })),
    reason: /not valid yet/,
  },
  { name: 'of before the login', wish: withClaims(() => ({ iat: seconds(-900) })), reason: /not valid any more/ },
  {
    name: 'without a beginning',
    wish: withClaims(() => ({ iat: undefined })),
    reason: /lacks its time of issue \(iat\)/,
  },
  {
    name: 'no signature',
    wish: { idToken: ({ header, claims }) => token({ ...header, alg: 'none' }, claims) },
    reason: /"alg"/,
    compared: () => ({ alg: [expect.stringContaining('RS256'), 'none'] }),
  },
  {
    name: 'a signature that was taken off',
    wish: { idToken: ({ header, claims }) => token(header, claims) },
    reason: /signature/,
  },
  {
    name: 'HMAC by the public key',
    wish: {
      idToken: ({ header, claims }, { ownPublic }) =>
        token({ ...header, alg: 'HS256' }, claims, ownPublic.export({ type: 'spki', format: 'pem' }).toString()),
    },
    reason: /"alg"|JWS algorithm/,
  },
  {
    name: 'HMAC by the client secret',
    wish: {
      idToken: ({ header, claims }, { clientSecret }) => token({ ...header, alg: 'HS256' }, claims, clientSecret),
    },
    reason: /"alg"|JWS algorithm/,
  },
  {
    name: 'the key of somebody else under the name of the right one',
    wish: { idToken: ({ header, claims }, { foreign }) => token(header, claims, foreign) },
    reason: /signature/,
  },
  {
    name: 'an unknown key',
    wish: { idToken: ({ header, claims }, { foreign }) => token({ ...header, kid: 'unknown' }, claims, foreign) },
    reason: /does not publish/,
  },
  {
    name: 'a key that it brings along',
    wish: {
      idToken: ({ header, claims }, { foreign }) =>
        token({ ...header, kid: 'mine', jwk: foreign.export({ format: 'jwk' }) }, claims, foreign),
    },
    reason: /does not publish/,
  },
  {
    name: 'a key that it points to',
    wish: {
      idToken: ({ header, claims }, { foreign }) =>
        token({ ...header, kid: 'mine', jku: 'https://evil.test/keys' }, claims, foreign),
    },
    reason: /does not publish/,
  },
  {
    name: 'a demand that nobody knows',
    wish: { idToken: ({ header, claims }, { own }) => token({ ...header, crit: ['exp'] }, claims, own) },
    reason: /crit/,
  },
  {
    name: 'another algorithm than the provider announces',
    wish: { idToken: ({ header, claims }, { own }) => token({ ...header, alg: 'RS384' }, claims, own) },
    reason: /"alg"|signature/,
  },
  {
    name: 'changed claims under the old signature',
    wish: {
      idToken: ({ header, claims }, { own }) =>
        `${token(header, { ...claims, email: 'mallory@example.com' }).slice(0, -1)}.${token(header, claims, own).split('.').at(-1) ?? ''}`,
    },
    reason: /signature/,
  },
  { name: 'an encrypted token', wish: { idToken: () => 'a.b.c.d.e' }, reason: /JWE/ },
  { name: 'no token but a text', wish: { idToken: () => 'hello' }, reason: /JWT/ },
  { name: 'a token of 300 KB', wish: withClaims(() => ({ padding: 'x'.repeat(300 * 1024) })), reason: /larger/ },
  { name: 'no id token', wish: { idToken: () => undefined }, reason: /id_token/ },
  {
    name: 'no access token',
    wish: { token: (answer) => ({ ...answer, access_token: undefined }) },
    reason: /access_token/,
  },
  {
    name: 'a token of a kind that nobody knows',
    wish: { token: (answer) => ({ ...answer, token_type: 'mac' }) },
    reason: /token_type/,
  },
  { name: 'an address that was not verified', wish: { claims: { email_verified: false } }, reason: /has not verified/ },
  {
    name: 'an address that was not verified, in words',
    wish: { claims: { email_verified: 'false' } },
    reason: /has not verified/,
  },
  { name: 'an address that was verified by 1', wish: { claims: { email_verified: 1 } }, reason: /has not verified/ },
  {
    name: 'not verified in the token, verified where it is asked',
    wish: withClaims(() => ({ email_verified: false })),
    reason: /has not verified/,
  },
  { name: 'no address', wish: { claims: { email: undefined } }, reason: /does not tell your e-mail/ },
  {
    name: 'two addresses',
    wish: { claims: { email: ['ada@example.com', 'grace@example.com'] } },
    reason: /does not tell your e-mail/,
  },
  {
    name: 'an address with a letter that looks the same',
    wish: { claims: { email: 'ada@example.\u212Aom' } },
    reason: /does not tell your e-mail/,
  },
  {
    name: 'an address with NUL',
    wish: { claims: { email: 'ada\0@example.com' } },
    reason: /does not tell your e-mail/,
  },
  {
    name: 'what is said of somebody else',
    wish: { userinfo: (answer) => ({ ...answer, sub: 'grace@example.com' }) },
    reason: /sub/,
  },
  { name: 'what is said of nobody', wish: { userinfo: (answer) => ({ ...answer, sub: undefined }) }, reason: /sub/ },
];
