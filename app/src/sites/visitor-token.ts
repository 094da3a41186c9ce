const MINUTES = 10;

const encoded = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** A token with claims as the login of a site makes it (HS256), for some minutes. */
export async function visitorToken(
  privateKey: string,
  claims: Readonly<Record<string, unknown>>,
  now = Date.now(),
): Promise<string> {
  const text = new TextEncoder();
  const issued = Math.floor(now / 1000);
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { iat: issued, exp: issued + 60 * MINUTES, ...claims },
  ];
  const signed = parts.map((part) => encoded(text.encode(JSON.stringify(part)))).join('.');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', text.encode(privateKey), algorithm, false, ['sign']);
  return `${signed}.${encoded(new Uint8Array(await crypto.subtle.sign('HMAC', key, text.encode(signed))))}`;
}
