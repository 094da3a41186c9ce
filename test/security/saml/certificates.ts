import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

const SHA256_WITH_RSA = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b];
const COMMON_NAME = [0x55, 0x04, 0x03];

function der(tag: number, ...parts: (Uint8Array | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length =
    content.length < 128
      ? [content.length]
      : content.length < 256
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const utcTime = (time: Date): Buffer =>
  der(
    0x17,
    Buffer.from(
      `${time
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2, 14)}Z`,
    ),
  );

/** A key with a certificate that it has signed itself. */
export interface Identity {
  readonly privateKey: string;
  /** In PEM. */
  readonly certificate: string;
}

/** Makes an X.509 certificate (RFC 5280), as identity providers do when they are set up; `by` signs it in the place of its own key, `renews` gives its key. */
export function makeIdentity({
  kind = 'rsa',
  bits = 2048,
  until = new Date(Date.now() + 86_400_000),
  from = new Date(until.getTime() - 2 * 86_400_000),
  by,
  renews,
  commonName = 'Identity provider',
}: {
  kind?: 'rsa' | 'ec';
  bits?: number;
  until?: Date;
  from?: Date;
  by?: Identity;
  renews?: Identity;
  commonName?: string;
} = {}): Identity {
  const made =
    kind === 'rsa'
      ? () => generateKeyPairSync('rsa', { modulusLength: bits })
      : () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { publicKey, privateKey } = renews
    ? { publicKey: createPublicKey(renews.privateKey), privateKey: createPrivateKey(renews.privateKey) }
    : made();
  const signer: KeyObject = by
    ? createPrivateKey(by.privateKey)
    : kind === 'rsa'
      ? privateKey
      : generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const algorithm = sequence(der(0x06, SHA256_WITH_RSA), der(0x05));
  const name = sequence(der(0x31, sequence(der(0x06, COMMON_NAME), der(0x0c, Buffer.from(commonName)))));
  const validity = sequence(utcTime(from), utcTime(until));
  const facts = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [1]),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const certificate = sequence(facts, algorithm, der(0x03, [0], sign('sha256', facts, signer)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----`,
  };
}
