import { X509Certificate } from 'node:crypto';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;
/** One in use and one that follows, as providers announce them while they change over. */
const MAX_CERTIFICATES = 2;
const LEAST_BITS = 2048;

/**
 * The certificates in a text, as PEM: one or two, in PEM or as the bare base64 that providers show. They need not be valid
 * any more; see `certificateFault`.
 */
export function readCertificates(text: string): readonly string[] {
  return parse(text).map((certificate) => certificate.toString());
}

/** What is wrong with a text as the certificate that a provider signs with; undefined where it can be used. */
export function certificateFault(text: string, now: Date): string | undefined {
  if (/PRIVATE KEY/.test(text)) return 'holds a private key: give the certificate only, and replace the key at the provider';
  let certificates: X509Certificate[];
  try {
    certificates = parse(text);
  } catch {
    return 'is not an X.509 certificate in PEM or base64';
  }
  if (certificates.length === 0) return 'is not an X.509 certificate in PEM or base64';
  if (certificates.length > MAX_CERTIFICATES) return `must not hold more than ${MAX_CERTIFICATES} certificates`;
  return certificates.map((certificate) => faultOf(certificate, now)).find((fault) => fault !== undefined);
}

function parse(text: string): X509Certificate[] {
  const blocks = [...text.matchAll(BLOCK)];
  if (blocks.length > 0) {
    const rest = text.replace(BLOCK, '').trim();
    if (rest !== '' || blocks.some(([, kind]) => kind !== 'CERTIFICATE')) throw new RangeError('something else than certificates');
    return blocks.map(([block]) => new X509Certificate(block));
  }
  if (!BASE64.test(text)) throw new RangeError('neither PEM nor base64');
  return [new X509Certificate(Buffer.from(text, 'base64'))];
}

function faultOf(certificate: X509Certificate, now: Date): string | undefined {
  const key = certificate.publicKey;
  if (key.asymmetricKeyType !== 'rsa') return `has a key of the type ${key.asymmetricKeyType ?? 'unknown'}: signatures are checked with RSA`;
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < LEAST_BITS) return `has a key of ${bits} bits: at least ${LEAST_BITS} are needed`;
  const end = new Date(certificate.validTo);
  if (end <= now) return `expired on ${end.toISOString().slice(0, 10)}`;
  return undefined;
}
