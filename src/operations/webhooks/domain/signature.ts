import { createHmac } from 'node:crypto';

/** The header that proves the sender of a delivery. */
export const SIGNATURE_HEADER = 'X-Bindery-Signature';

/**
 * The value of the header: `t=<seconds since 1970>,v1=<signature>`, with one `v1` for each secret. A signature is the
 * HMAC-SHA256 of `<t>.<body>` in hexadecimal.
 */
export function signatureOf(body: string, secrets: readonly string[], seconds: number): string {
  const signatures = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
  return [`t=${seconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
}
