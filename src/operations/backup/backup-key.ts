import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { OperatorError, reasonOf } from '../../kernel/platform/operator-error.js';

/** A passphrase, or the bytes of a key file, which open the backups of a target. */
export type BackupKey = { readonly passphrase: string } | { readonly file: Buffer };

const KEY_LENGTH = 32;
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const SALT_LENGTH = 32;
/** Bytes of a key file below which it is no random key. */
const SHORTEST_FILE = 32;
/** The cost of scrypt: 128 MB of memory, about half a second. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const MOST_MEMORY = 2 ** 28;

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'));

/** The master key of a target, sealed with the key of the operator. */
export const sealedMasterKey = z.object({
  derivation: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('scrypt'),
      N: z
        .int()
        .min(2 ** 14)
        .max(2 ** 20),
      r: z.int().min(8).max(16),
      p: z.int().min(1).max(4),
      salt: base64,
    }),
    z.object({ kind: z.literal('file'), salt: base64 }),
  ]),
  sealed: base64,
});

/** Reads the key that the settings give; undefined if they give none. */
export async function readBackupKey(settings: {
  readonly backupKey?: string | undefined;
  readonly backupKeyFile?: string | undefined;
}): Promise<BackupKey | undefined> {
  const { backupKey, backupKeyFile } = settings;
  if (backupKeyFile === undefined) return backupKey === undefined ? undefined : { passphrase: backupKey };
  const file = await readFile(backupKeyFile).catch((error: unknown) => {
    throw new OperatorError(`The file ${backupKeyFile} of BACKUP_KEY_FILE cannot be read: ${reasonOf(error)}`);
  });
  if (file.length < SHORTEST_FILE)
    throw new OperatorError(`The file ${backupKeyFile} of BACKUP_KEY_FILE needs ${SHORTEST_FILE} bytes or more`);
  return { file };
}

/** Makes a master key, and its sealed form for the target. */
export async function makeMasterKey(key: BackupKey): Promise<{ master: Buffer; stored: unknown }> {
  const master = randomBytes(KEY_LENGTH);
  const salt = randomBytes(SALT_LENGTH);
  const derivation = 'file' in key ? ({ kind: 'file', salt } as const) : ({ kind: 'scrypt', ...COST, salt } as const);
  const iv = randomBytes(IV_LENGTH);
  const cipher = createCipheriv('aes-256-gcm', await derive(key, derivation), iv);
  const sealed = Buffer.concat([iv, cipher.update(master), cipher.final(), cipher.getAuthTag()]);
  return {
    master,
    stored: {
      derivation: { ...derivation, salt: salt.toString('base64') },
      sealed: sealed.toString('base64'),
    },
  };
}

/** Opens the master key of a target; undefined if the key is not the one that it was sealed with. */
export async function openMasterKey(
  key: BackupKey,
  { derivation, sealed }: z.infer<typeof sealedMasterKey>,
): Promise<Buffer | undefined> {
  if ((derivation.kind === 'file') !== 'file' in key || sealed.length !== IV_LENGTH + KEY_LENGTH + TAG_LENGTH)
    return undefined;
  const end = sealed.length - TAG_LENGTH;
  const decipher = createDecipheriv('aes-256-gcm', await derive(key, derivation), sealed.subarray(0, IV_LENGTH));
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_LENGTH, end)), decipher.final()]);
  } catch {
    return undefined;
  }
}

type Derivation = z.infer<typeof sealedMasterKey>['derivation'];

async function derive(key: BackupKey, derivation: Derivation): Promise<Buffer> {
  if ('file' in key)
    return Buffer.from(hkdfSync('sha256', key.file, derivation.salt, 'bindery backup key', KEY_LENGTH));
  if (derivation.kind !== 'scrypt') throw new RangeError('a passphrase is derived by scrypt');
  const { N, r, p, salt } = derivation;
  return scryptOf(key.passphrase.normalize('NFC'), salt, KEY_LENGTH, { N, r, p, maxmem: MOST_MEMORY });
}

const scryptOf = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);
