import { AUTHORIZATIONS, HEADERS, METHODS, RAW_BODIES, randomText, SEGMENTS, TEXTS } from './hostile.js';
import type { Dice } from './dice.js';
import type { Side } from './side.js';
import { encoded, type Wire } from './wire.js';

/** Something that the service answers beside the operations of its document. */
export interface Outside {
  readonly id: string;
  readonly listener: 'api' | 'published';
  make(dice: Dice, sides: readonly [Side, Side]): Wire;
}

const SITE_PATHS: readonly string[] = [
  '',
  '/',
  '/page',
  '/page.md',
  '/~search',
  '/~search?q=',
  '/~feedback',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap-1.xml',
  '/sitemap-99999.xml',
  '/llms.txt',
  '/llms-full.txt',
  '/~gitbook/auth/login',
  '/~gitbook/auth/logout',
  '/~share/',
  '/~share/x',
  '/~gitbook/pdf',
  '/~gitbook/assets/x',
  '/~pdf',
  '/old/page',
  '/favicon.ico',
  '/.well-known/x',
  '/page/page/page',
  '/feed.xml',
  '/~gitbook/ogimage/x',
  '/~gitbook/image',
];
const SITE_PARAMETERS: readonly string[] = [
  'q',
  'page',
  'location',
  'fallback',
  'shareKey',
  'jwt_token',
  'token',
  'visitor.unsigned.a',
  'visitor.x',
  'limit',
  'format',
  'ask',
  'scope',
  'lang',
  'v',
  'signature',
  'expires',
  '__proto__',
  'visitor[__proto__][a]',
  'only',
  'back',
];
const JWTS: readonly string[] = [
  'eyJhbGciOiJub25lIn0.eyJhIjoxfQ.',
  'eyJhbGciOiJIUzI1NiJ9.e30.x',
  'a.b.c',
  '..',
  'x'.repeat(8000),
];
const COOKIES: readonly string[] = [
  'gitbook-visitor-token=a.b.c',
  'gitbook-visitor-public=%7B',
  'bindery-share=x',
  'a=b; a=b; __proto__=x',
  'x'.repeat(7000),
  '=;=;=',
  'a="\\"; b=%zz',
  'visitor_claims=%7B%22__proto__%22%3A1%7D',
];
const LISTED: readonly string[] = [
  '/',
  '/~files/',
  '/~files/x',
  '/~files/../../etc/passwd',
  '/~files/%2e%2e/x',
  '/~files/AbCdEfGh0123456789Xy/x?signature=x&expires=1',
  '/~pdf/AbCdEfGh0123456789Xy',
  '/~app/',
  '/~assets/site.css',
  '/~fonts/x.woff2',
  '/~fonts/../x',
  '/robots.txt',
  '/sitemap.xml',
  '/v1/user',
  '/healthz',
  '/metrics',
  '/docs',
  '//evil.example',
  '/\\evil.example',
  '/%00',
  '/%',
];
const OPERATOR: readonly string[] = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/docs',
  '/docs/',
  '/docs-json',
  '/openapi.json',
  '/docs/swagger-ui.css',
  '/docs/../metrics',
  '/docs/%2e%2e/x',
  '/',
  '/v1',
  '/v1/',
  '//v1/user',
  '/V1/user',
  '/v1//user',
  '/v1/./user',
  '/v1/%75ser',
  '/v1/user%2f',
  '/v2/user',
  '/favicon.ico',
  '/.env',
  '/app/AbCdEfGh0123456789Xy',
  '/uploads/x',
  '/v1/storage/upload/x',
  '/sso',
  '/sso/saml',
  '/sso/oidc',
  '/login',
];
const SAML: readonly string[] = [
  '',
  'x',
  'PHg+',
  Buffer.from('<a/>').toString('base64'),
  Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').toString('base64'),
  Buffer.from('<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>').toString('base64'),
  Buffer.from('<a>'.repeat(5000)).toString('base64'),
  Buffer.from([0xff, 0xfe, 0x3c, 0]).toString('base64'),
  '%',
  'A'.repeat(300_000),
];

function headersOf(dice: Dice, canary: string, more: Record<string, string> = {}): Record<string, string> {
  const made = { ...more };
  while (dice.chance(25)) {
    const [name, values] = dice.pick(HEADERS);
    if (name !== 'Expect') made[name] = dice.pick(values).replaceAll('«canary»', canary);
  }
  return made;
}

function segment(dice: Dice): string {
  return dice.chance(50) ? dice.pick(SEGMENTS) : encoded(dice.of(randomText));
}

function siteAddress(dice: Dice, sides: readonly [Side, Side]): string {
  const side = dice.pick(sides);
  const start = dice.chance(90) ? `/${side.world.ids['basename'] ?? ''}` : `/${segment(dice)}`;
  let path =
    start +
    (dice.chance(70) ? dice.pick(SITE_PATHS) : `/${segment(dice)}${dice.chance(30) ? `/${segment(dice)}` : ''}`);
  while (dice.chance(40))
    path += `${path.includes('?') ? '&' : '?'}${encoded(dice.pick(SITE_PARAMETERS))}=${dice.chance(20) ? dice.pick(JWTS) : encoded(dice.pick(TEXTS))}`;
  return path;
}

function siteRequest(dice: Dice, sides: readonly [Side, Side]): Wire {
  const path = siteAddress(dice, sides);
  const isForm = dice.chance(10);
  const headers = headersOf(dice, sides[0].marks.canary, {
    ...(dice.chance(30) && { Cookie: dice.pick(COOKIES) }),
    ...(dice.chance(30) && { Accept: dice.pick(['text/html', 'application/json', 'text/markdown']) }),
    ...(isForm && { 'Content-Type': 'application/x-www-form-urlencoded' }),
  });
  const body = isForm
    ? Buffer.from(
        `page=${sides[0].world.ids['pageId'] ?? ''}&space=${sides[0].world.ids['spaceId'] ?? ''}&q=${encoded(dice.of(randomText))}&rating=${encoded(dice.of(randomText))}&comment=${encoded(dice.of(randomText))}`,
      )
    : undefined;
  const where = isForm ? `${path.split('?')[0] ?? ''}/${dice.pick(['~feedback', '~search'])}` : path;
  return {
    method: isForm ? 'POST' : dice.chance(90) ? 'GET' : dice.pick(METHODS),
    path: where.replaceAll('«canary»', ''),
    headers,
    body,
    isChunked: isForm && dice.chance(10),
  };
}

function plain(paths: readonly string[]): Outside['make'] {
  return (dice, [{ marks }]) => {
    const path = dice.chance(70) ? dice.pick(paths) : `${dice.pick(paths)}/${segment(dice)}`;
    const { bytes, type } = dice.pick(RAW_BODIES);
    const hasBody = dice.chance(15);
    return {
      method: hasBody ? 'POST' : dice.chance(80) ? 'GET' : dice.pick(METHODS),
      path: path.startsWith('/') ? path : `/${path}`,
      headers: headersOf(dice, marks.canary, {
        ...(hasBody && type !== undefined && { 'Content-Type': type }),
        ...(dice.chance(20) && { Authorization: dice.pick(AUTHORIZATIONS) }),
      }),
      body: hasBody ? Buffer.from(bytes) : undefined,
      isChunked: hasBody && dice.chance(20),
    };
  };
}

function login(dice: Dice, sides: readonly [Side, Side]): Wire {
  const provider = dice.chance(75) ? (dice.pick(sides).world.ids['samlProviderId'] ?? '') : segment(dice);
  const action = dice.pick(['start', 'acs', 'metadata', 'callback', '']);
  const isForm = action === 'acs' ? dice.chance(90) : dice.chance(10);
  const message = dice.chance(60) ? dice.pick(SAML) : Buffer.from(dice.of(randomText)).toString('base64');
  const query = dice.chance(50)
    ? `?${dice.pick(['returnTo', 'RelayState', 'SAMLResponse', 'code', 'state', 'error'])}=${encoded(dice.pick(TEXTS))}`
    : '';
  return {
    method: isForm ? 'POST' : dice.chance(90) ? 'GET' : dice.pick(METHODS),
    path: `/sso/${dice.pick(['saml', 'oidc'])}/${provider}/${action}${query}`.replaceAll('%C2%ABcanary%C2%BB', ''),
    headers: headersOf(
      dice,
      sides[0].marks.canary,
      isForm ? { 'Content-Type': dice.chance(90) ? 'application/x-www-form-urlencoded' : 'application/json' } : {},
    ),
    body: isForm
      ? Buffer.from(
          `SAMLResponse=${encodeURIComponent(message)}&RelayState=${encoded(dice.pick(TEXTS))}${dice.chance(10) ? '&SAMLResponse=x' : ''}`,
        )
      : undefined,
    isChunked: isForm && dice.chance(10),
  };
}

/** The listener of published sites and files, logins, and what operators look at. */
export const OUTSIDE: readonly Outside[] = [
  { id: 'published sites', listener: 'published', make: siteRequest },
  { id: 'published files', listener: 'published', make: plain(LISTED) },
  { id: 'logins', listener: 'api', make: login },
  { id: 'paths beside the operations', listener: 'api', make: plain(OPERATOR) },
];
