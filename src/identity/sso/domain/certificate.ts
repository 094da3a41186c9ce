import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** One in use and its successor, as providers publish them during a rollover. */
const MAX_CERTIFICATES = 2;
const LEAST_BITS = 2048;
const SEQUENCE = 0x30;

const PRIVATE_KEY = 'holds a private key: give the certificate only, and replace the key at the provider';
const PUBLIC_KEY = 'holds a public key: give the certificate, which has the key in it';
const NO_CERTIFICATE = 'is not an X.509 certificate in PEM or base64';
/** Names of other PEM blocks (RFC 7468, and OpenSSL). */
const OTHER_KINDS: ReadonlyMap<string, string> = new Map([
  ['PUBLIC KEY', PUBLIC_KEY],
  ['RSA PUBLIC KEY', PUBLIC_KEY],
  ['CERTIFICATE REQUEST', 'holds a request for a certificate: give the certificate that was made from it'],
  ['NEW CERTIFICATE REQUEST', 'holds a request for a certificate: give the certificate that was made from it'],
  [
    'TRUSTED CERTIFICATE',
    'holds a certificate as OpenSSL alone writes it (TRUSTED CERTIFICATE): `openssl x509` makes an ordinary one of it',
  ],
  ['PKCS7', 'holds certificates in a bundle (PKCS #7): `openssl pkcs7 -print_certs` takes them out'],
]);

/**
 * The certificates in a text, as PEM: in PEM or as the bare base64 that providers show, with or without line breaks.
 * Stored texts are parsed even if `certificateFault` would refuse them today; unreadable parts are left out.
 */
export function readCertificates(text: string): readonly string[] {
  return certificatesIn(text).map((certificate) => certificate.toString());
}

/**
 * Fingerprints for comparing the certificates of a text: `SHA-256 0A:1B:…` of each, parsed as by `readCertificates`.
 */
export function certificateFingerprints(text: string): readonly string[] {
  return certificatesIn(text).map(({ fingerprint256 }) => `SHA-256 ${fingerprint256}`);
}

function certificatesIn(text: string): X509Certificate[] {
  const blocks = [...text.matchAll(BLOCK)].map(([, , content = '']) => content);
  return (blocks.length > 0 ? blocks : [text]).flatMap((base64) => certificateOf(Buffer.from(base64, 'base64')) ?? []);
}

/** OpenSSL reads the first of several certificates, and ignores the others silently. */
function certificateOf(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The fault of a text as one or two signing certificates of a provider, without quoting it; undefined if it is usable.
 */
export function certificateFault(text: string, now: Date): string | undefined {
  let certificates: X509Certificate[];
  try {
    certificates = parse(text);
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
  const [first, second] = certificates;
  if (first && second && first.raw.equals(second.raw)) return 'holds the same certificate twice';
  if (first && second && isIssued(first, second))
    return 'holds a certificate and that of the authority behind it: give the one alone that the provider signs with';
  return certificates.map((certificate) => faultOf(certificate, now)).find((fault) => fault !== undefined);
}

/** Tells whether one of two certificates issued the other; a certificate that was renewed with its key did not. */
function isIssued(first: X509Certificate, second: X509Certificate): boolean {
  return (
    !first.publicKey.equals(second.publicKey) && (first.verify(second.publicKey) || second.verify(first.publicKey))
  );
}

/** Throws `RangeError` with the fault. */
function parse(text: string): X509Certificate[] {
  if (/PRIVATE KEY/.test(text)) throw new RangeError(PRIVATE_KEY);
  if (text.includes('\\n'))
    throw new RangeError('has the characters \\n where its lines should end: give it with real ends of lines');
  const blocks = [...text.matchAll(BLOCK)];
  if (blocks.length === 0) {
    if (/-----(BEGIN|END) /.test(text))
      throw new RangeError('is not whole: it must reach from the line with BEGIN to the line with END');
    return [read(text)];
  }
  if (blocks.length > MAX_CERTIFICATES)
    throw new RangeError(
      `must not hold more than ${MAX_CERTIFICATES} certificates: give the one that the provider signs with, without those of authorities`,
    );
  for (const [, kind = ''] of blocks)
    if (kind !== 'CERTIFICATE')
      throw new RangeError(OTHER_KINDS.get(kind) ?? 'holds something else than a certificate');
  if (text.replace(BLOCK, '').trim() !== '')
    throw new RangeError('has text beside the certificate: give only what reaches from BEGIN to END');
  return blocks.map(([, , content = '']) => read(content));
}

/** Reads the only certificate in base64, with any line breaks. */
function read(base64: string): X509Certificate {
  const text = base64.replace(/\s/g, '');
  if (!BASE64.test(text)) throw new RangeError(NO_CERTIFICATE);
  const bytes = Buffer.from(text, 'base64');
  const certificate = certificateOf(bytes);
  if (!certificate) throw new RangeError(whyNot(bytes));
  if (certificate.raw.length !== bytes.length)
    throw new RangeError('has something behind the certificate: give the certificate alone');
  return certificate;
}

function whyNot(bytes: Buffer): string {
  if (
    (['pkcs8', 'pkcs1', 'sec1'] as const).some((type) =>
      isRead(() => createPrivateKey({ key: bytes, format: 'der', type })),
    )
  )
    return PRIVATE_KEY;
  if ((['spki', 'pkcs1'] as const).some((type) => isRead(() => createPublicKey({ key: bytes, format: 'der', type }))))
    return PUBLIC_KEY;
  const isCut =
    bytes[0] === SEQUENCE && bytes[1] === 0x82 && bytes.length > 4 && bytes.length < 4 + bytes.readUInt16BE(2);
  return isCut ? 'is not a whole certificate: its end is missing' : NO_CERTIFICATE;
}

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function faultOf(certificate: X509Certificate, now: Date): string | undefined {
  const key = certificate.publicKey;
  if (key.asymmetricKeyType !== 'rsa')
    return `has a key of the type ${key.asymmetricKeyType ?? 'unknown'}: signatures are checked with RSA`;
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < LEAST_BITS) return `has a key of ${bits} bits: at least ${LEAST_BITS} are needed`;
  const end = new Date(certificate.validTo);
  if (end <= now) return `expired on ${end.toISOString().slice(0, 10)}`;
  return undefined;
}
