import { createHmac, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';

export const encoded = (text: string): string => Buffer.from(text).toString('base64url');

/** A token of any header and payload with a right HMAC-SHA256 signature. */
export function signed(key: string, header: string, payload: string): string {
  const input = `${encoded(header)}.${encoded(payload)}`;
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
}

/** Keys of a site, of another one, and the one that the site had before. */
export interface SiteKeys {
  readonly key: string;
  readonly foreign: string;
  readonly old: string;
}

const inTenMinutes = () => Math.floor(Date.now() / 1000) + 600;

/** Tokens that a site takes, for ten minutes and for almost 30 days: those that are wrong differ from these in one thing. */
export function validTokens(key: string): string[] {
  const payload = JSON.stringify({ sub: 'a', exp: inTenMinutes() });
  const long = JSON.stringify({ sub: 'a', exp: inTenMinutes() + 30 * 86_400 - 660 });
  return [
    ...['{"alg":"HS256","typ":"JWT"}', '{"alg":"HS256"}'].map((header) => signed(key, header, payload)),
    signed(key, '{"alg":"HS256"}', long),
  ];
}

/** Tokens of visitors that nobody may be let in by, by what is wrong with them (RFC 8725, ASVS 9.1 and 9.2). */
export async function forgedTokens({ key, foreign, old }: SiteKeys): Promise<Readonly<Record<string, string>>> {
  const now = inTenMinutes() - 600;
  const payload = JSON.stringify({ sub: 'a', exp: now + 600 });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [valid = ''] = validTokens(key);
  return {
    'alg none': `${encoded('{"alg":"none"}')}.${encoded(payload)}.`,
    'alg none with a signature': signed(key, '{"alg":"none"}', payload),
    'alg None': signed(key, '{"alg":"None"}', payload),
    'RS256 with the shared key': signed(key, '{"alg":"RS256"}', payload),
    'RS256 with a key of its own': await new SignJWT({})
      .setProtectedHeader({ alg: 'RS256' })
      .setExpirationTime('1h')
      .sign(rsa.privateKey),
    'a key in the header': signed(
      'mine',
      JSON.stringify({ alg: 'HS256', jwk: { kty: 'oct', k: encoded('mine') } }),
      payload,
    ),
    'jwk beside a good signature': signed(
      key,
      JSON.stringify({ alg: 'HS256', jwk: { kty: 'oct', k: encoded(key) } }),
      payload,
    ),
    jku: signed(key, '{"alg":"HS256","jku":"https://evil.example.com/keys"}', payload),
    x5u: signed(key, '{"alg":"HS256","x5u":"https://evil.example.com/cert"}', payload),
    x5c: signed(key, '{"alg":"HS256","x5c":["MIIB"]}', payload),
    kid: signed(key, '{"alg":"HS256","kid":"../../dev/null"}', payload),
    crit: signed(key, '{"alg":"HS256","crit":["exp"]}', payload),
    'unencoded payload': signed(key, '{"alg":"HS256","b64":false,"crit":["b64"]}', payload),
    'two algorithms': signed(key, '{"alg":"none","alg":"HS256"}', payload),
    HS512: await new SignJWT({}).setProtectedHeader({ alg: 'HS512' }).setExpirationTime('1h').sign(Buffer.from(key)),
    'no exp': signed(key, '{"alg":"HS256"}', '{"sub":"a"}'),
    'exp of the past': signed(key, '{"alg":"HS256"}', JSON.stringify({ exp: now - 1 })),
    'exp in more than 30 days': signed(key, '{"alg":"HS256"}', JSON.stringify({ exp: now + 30 * 86_400 + 600 })),
    'exp in a thousand years': signed(key, '{"alg":"HS256"}', JSON.stringify({ exp: 1e308 })),
    'exp as a text': signed(key, '{"alg":"HS256"}', JSON.stringify({ exp: String(now + 600) })),
    'nbf in the future': signed(key, '{"alg":"HS256"}', JSON.stringify({ exp: now + 600, nbf: now + 60 })),
    'a claim twice': signed(key, '{"alg":"HS256"}', `{"isBetaUser":false,"isBetaUser":true,"exp":${now + 600}}`),
    'a claim twice, escaped': signed(
      key,
      '{"alg":"HS256"}',
      `{"exp":${now + 600},"account":{"isOwner":false,"\\u0069sOwner":true}}`,
    ),
    'another site': signed(foreign, '{"alg":"HS256"}', payload),
    'ten kilobytes': signed(key, '{"alg":"HS256"}', JSON.stringify({ exp: now + 600, name: 'x'.repeat(10_000) })),
    'a changed payload': valid.replace(/\.[^.]+\./, `.${encoded(JSON.stringify({ sub: 'b', exp: now + 600 }))}.`),
    'a changed signature': `${valid.slice(0, -4)}AAAA`,
    'no signature': valid.replace(/[^.]+$/, ''),
    'four parts': `${valid}.x`,
    'no object': signed(key, '{"alg":"HS256"}', '"text"'),
    'no JSON': signed(key, '{"alg":"HS256"}', 'text'),
    nothing: '',
    'the key itself': key,
    'a service token of nobody': signed(
      key,
      '{"alg":"HS256"}',
      JSON.stringify({ iss: 'urn:bindery', aud: 'member', sub: 'x', organization: 'y', exp: now + 600 }),
    ),
    'alg in small letters': signed(key, '{"alg":"hs256"}', payload),
    'no alg': signed(key, '{"typ":"JWT"}', payload),
    'another type': signed(key, '{"alg":"HS256","typ":"at+jwt"}', payload),
    'exp null': signed(key, '{"alg":"HS256"}', '{"exp":null}'),
    'exp twice': signed(key, '{"alg":"HS256"}', `{"exp":1,"exp":${now + 600}}`),
    'nbf as a text': signed(key, '{"alg":"HS256"}', JSON.stringify({ exp: now + 600, nbf: 'now' })),
    'the key before it was made anew': signed(old, '{"alg":"HS256"}', payload),
  };
}
