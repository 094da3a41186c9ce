import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { notFound } from '../../common/errors.js';
import type { Config } from '../config/config.js';
import { FileStorage, blobKey, type ByteRange, type StoredBlob } from './file-storage.js';
import { isAbsent, ofStorage, s3Client, type S3Connection } from './s3-client.js';
import { putObject } from './s3-upload.js';
import type { SpooledFile } from './spool.js';

export type S3Settings = S3Connection & Pick<Config, 's3Bucket'>;

/**
 * Uploads up to this number of bytes are retried automatically if the service fails for a moment; larger ones are never
 * in memory as a whole.
 */
const REPEATED = 4 * 1024 ** 2;

/** Files as objects of one bucket of an S3-compatible service. */
export class S3Storage extends FileStorage {
  protected readonly spoolFolder = join(tmpdir(), 'bindery-incoming');
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor(settings: S3Settings, silentFor?: number) {
    super();
    if (settings.s3Bucket === undefined) throw new Error('S3_BUCKET is required with FILES_STORAGE=s3');
    this.bucket = settings.s3Bucket;
    this.client = s3Client(settings, silentFor);
  }

  async place(file: SpooledFile): Promise<void> {
    try {
      const Body = file.size <= REPEATED ? await readFile(file.path) : createReadStream(file.path);
      await putObject(this.client, { Bucket: this.bucket, Key: blobKey(file.hash) }, Body, file.size);
    } finally {
      await this.discard(file);
    }
  }

  async get(hash: string, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.first}-${range.last}`;
    const answer = await ofStorage(
      this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: blobKey(hash), Range })),
    ).catch((error: unknown) => {
      throw isAbsent(error) ? notFound('File') : error;
    });
    if (!(answer.Body instanceof Readable)) throw new Error('the storage answered without a body');
    return answer.Body;
  }

  async has(hash: string): Promise<boolean> {
    return (await this.sizeOf(hash)) !== undefined;
  }

  override async sizeOf(hash: string): Promise<number | undefined> {
    return ofStorage(this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: blobKey(hash) }))).then(
      ({ ContentLength }) => ContentLength ?? 0,
      (error: unknown) => {
        if (isAbsent(error)) return undefined;
        throw error;
      },
    );
  }

  async remove(hash: string): Promise<void> {
    await ofStorage(this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: blobKey(hash) })));
  }

  async *list(): AsyncIterable<StoredBlob> {
    let ContinuationToken: string | undefined;
    do {
      const page = await ofStorage(
        this.client.send(new ListObjectsV2Command({ Bucket: this.bucket, Prefix: 'sha256/', ContinuationToken })),
      );
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        if (Key !== undefined && LastModified)
          yield { hash: Key.slice(Key.lastIndexOf('/') + 1), size: Size ?? 0, modifiedAt: LastModified };
      }
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  close(): void {
    this.client.destroy();
  }
}
