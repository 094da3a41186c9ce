import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { rawBody } from '../../kernel/platform/http/raw-body.js';
import { Blobs } from '../../kernel/platform/storage/blobs.js';
import type { ServedFile } from '../../kernel/platform/storage/served-file.js';
import type { ByteSource } from '../../kernel/platform/storage/spool.js';
import type { UploadFile } from './uploads.schema.js';

/** Seconds for which the address of an upload accepts bytes. */
const LIFETIME = 3600;
/** Days for which uploaded files wait for an import. */
const KEPT_DAYS = 7;
const MAX_FONT_BYTES = 10 * 1024 ** 2;
const FONT = /^(font\/[\w.+-]+|application\/(font-[\w-]+|x-font-[\w-]+|vnd\.ms-fontobject))$/;

export type UploadKind = 'customization_font' | 'import_file';

/** A file that was uploaded completely. */
export interface UploadedFile {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly size: number;
}

/** Files that clients upload to a signed address on the public listener, before they name them in a request. */
@Injectable()
export class Uploads {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly blobs: Blobs,
    private readonly secrets: Secrets,
    private readonly addresses: Addresses,
    @Inject(CONFIG) private readonly config: Pick<Config, 'importMaxBytes'>,
  ) {}

  /** An address that accepts these bytes once, within an hour; `key` identifies them afterwards. */
  async offer(
    userId: string,
    organizationId: string,
    kind: UploadKind,
    file: UploadFile,
  ): Promise<{ key: string; url: string }> {
    if (kind === 'customization_font' && !FONT.test(file.type)) throw invalid('file.type', 'is not the type of a font');
    const limit = kind === 'customization_font' ? MAX_FONT_BYTES : this.config.importMaxBytes;
    if (file.size > limit) throw invalid('file.size', `must be at most ${limit} bytes`);
    const key = await this.insert(userId, organizationId, kind, file);
    const expires = Math.floor(this.clock.now().getTime() / 1000) + LIFETIME;
    const signature = this.secrets.sign('file-url', signedText(key, expires));
    return { key, url: this.addresses.published(`/~uploads/${key}?expires=${expires}&signature=${signature}`) };
  }

  /** Stores the bytes of a request to such an address. Throws `forbidden` for a wrong address and `conflict` for a used one. */
  async receive(key: string, query: URLSearchParams, request: IncomingMessage): Promise<void> {
    const expires = Number(query.get('expires'));
    const isValid =
      Number.isSafeInteger(expires) &&
      expires * 1000 > this.clock.now().getTime() &&
      this.secrets.verify('file-url', signedText(key, expires), query.get('signature') ?? '');
    if (!isValid) throw new DomainError('forbidden', 'The address of this upload has expired or was changed');
    const upload = await this.database.one<{
      kind: UploadKind;
      contentType: string;
      size: string;
      name: string;
      used: boolean;
    }>('SELECT kind, content_type AS "contentType", size, name, hash IS NOT NULL AS used FROM upload WHERE id = $1', [
      key,
    ]);
    if (!upload) throw notFound('Upload');
    if (upload.used) throw alreadyUsed();
    const [size, type] = [Number(upload.size), request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()];
    if (type !== undefined && type !== upload.contentType.toLowerCase())
      throw new DomainError('unsupportedMediaType', `The Content-Type must be ${upload.contentType}`);
    if (Number(request.headers['content-length'] ?? 0) > size)
      throw new DomainError('tooLarge', `The file is larger than ${size} bytes`, [], { Connection: 'close' });
    const stored = await this.blobs.store(rawBody(request), {
      name: upload.name,
      claimed: upload.contentType,
      maxBytes: size,
    });
    if (stored.size !== size) throw invalid('body', `must have the ${size} bytes that were announced`);
    if (upload.kind === 'customization_font' && !FONT.test(stored.contentType)) throw invalid('body', 'is no font');
    const taken = await this.database.execute(
      `UPDATE upload SET hash = decode($2, 'hex'), content_type = $3 WHERE id = $1 AND hash IS NULL`,
      [key, stored.hash, stored.contentType],
    );
    if (taken === 0) throw alreadyUsed();
  }

  /**
   * Stores a file for an import that follows immediately; returns its key. Throws `tooLarge`, and `invalid` for an
   * empty file.
   */
  async store(userId: string, organizationId: string, name: string, type: string, bytes: ByteSource): Promise<string> {
    const { hash, size } = await this.blobs.store(bytes, { name, maxBytes: this.config.importMaxBytes });
    if (size === 0) throw invalid('body', 'must not be empty');
    return this.insert(userId, organizationId, 'import_file', { name, type, size }, hash);
  }

  /**
   * Files that a user has uploaded for imports, in the order of their keys; throws `invalid` for one that does not
   * exist.
   */
  async uploaded(userId: string, organizationId: string, keys: readonly string[]): Promise<UploadedFile[]> {
    const rows = await this.database.query<{ id: string; name: string; hash: string; size: string }>(
      `SELECT id, name, encode(hash, 'hex') AS hash, size FROM upload
        WHERE id = ANY ($1::text[]) AND organization_id = $2 AND user_id = $3 AND kind = 'import_file' AND hash IS NOT NULL`,
      [keys, organizationId, userId],
    );
    const byId = new Map(rows.map((row) => [row.id, { ...row, size: Number(row.size) }]));
    return keys.map((key, index) => {
      const file = byId.get(key);
      if (!file) throw invalid(`source.files.${index}`, 'is not a file that you have uploaded for an import');
      return file;
    });
  }

  /** Those of the keys that are uploaded fonts of an organization. */
  async fonts(organizationId: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM upload WHERE id = ANY ($1::text[]) AND organization_id = $2 AND kind = 'customization_font' AND hash IS NOT NULL`,
      [keys, organizationId],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Deletes fonts; their bytes are removed with other unreferenced ones. */
  async removeFonts(keys: readonly string[]): Promise<void> {
    await this.database.execute(`DELETE FROM upload WHERE id = ANY ($1::text[]) AND kind = 'customization_font'`, [
      keys,
    ]);
  }

  /** An uploaded font, for all readers of a site. */
  async font(key: string): Promise<ServedFile | undefined> {
    const row = await this.database.one<{
      name: string;
      contentType: string;
      size: string;
      hash: string;
      organizationId: string;
    }>(
      `SELECT name, content_type AS "contentType", size, encode(hash, 'hex') AS hash, organization_id AS "organizationId" FROM upload WHERE id = $1 AND kind = 'customization_font' AND hash IS NOT NULL`,
      [key],
    );
    return row && { ...row, size: Number(row.size), visibility: 'public' };
  }

  /**
   * Deletes files for imports after a week, and unused upload addresses; returns the number. Their bytes are removed
   * with other unreferenced ones.
   */
  removeStale(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * 24 * 3600 * 1000);
    return this.database.execute(
      `DELETE FROM upload WHERE created_at < $1 AND (kind = 'import_file' OR hash IS NULL)`,
      [before],
    );
  }

  private async insert(
    userId: string,
    organizationId: string,
    kind: UploadKind,
    file: UploadFile,
    hash?: string,
  ): Promise<string> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    await this.database.execute(
      `INSERT INTO upload (id, organization_id, user_id, kind, name, content_type, size, hash, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, decode($8, 'hex'), $9)`,
      [id, organizationId, userId, kind, file.name, file.type, file.size, hash ?? null, now],
    );
    return id;
  }
}

function signedText(key: string, expires: number): string {
  return `upload\n${key}\n${expires}`;
}

function alreadyUsed(): DomainError {
  return new DomainError('conflict', 'The file was uploaded already');
}
