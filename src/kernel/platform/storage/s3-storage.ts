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
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { notFound } from '../../common/errors.js';
import type { Config } from '../config/config.js';
import { FileStorage, blobKey, type ByteRange, type StoredBlob } from './file-storage.js';
import type { SpooledFile } from './spool.js';

export type S3Settings = Pick<
  Config,
  's3Endpoint' | 's3Region' | 's3Bucket' | 's3AccessKeyId' | 's3SecretAccessKey' | 's3ForcePathStyle'
>;

/**
 * Milliseconds that connecting may take, and that a connection may be silent: a request without a response is an error
 * and never waits forever.
 */
const CONNECT_WITHIN = 5000;
const SILENT_FOR = 20_000;
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

  constructor(settings: S3Settings, silentFor = SILENT_FOR) {
    super();
    const { s3Endpoint, s3Region, s3Bucket, s3AccessKeyId, s3SecretAccessKey, s3ForcePathStyle } = settings;
    if (s3Bucket === undefined) throw new Error('S3_BUCKET is required with FILES_STORAGE=s3');
    this.bucket = s3Bucket;
    this.client = new S3Client({
      region: s3Region,
      forcePathStyle: s3ForcePathStyle,
      requestHandler: { connectionTimeout: CONNECT_WITHIN, socketTimeout: silentFor },
      ...(s3Endpoint !== undefined && { endpoint: s3Endpoint }),
      ...(s3AccessKeyId !== undefined &&
        s3SecretAccessKey !== undefined && {
          credentials: { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey },
        }),
      // Services other than Amazon's often refuse the checksums that newer clients add by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async place(file: SpooledFile): Promise<void> {
    try {
      const Body = file.size <= REPEATED ? await readFile(file.path) : createReadStream(file.path);
      await ofStorage(
        this.client.send(
          new PutObjectCommand({ Bucket: this.bucket, Key: blobKey(file.hash), Body, ContentLength: file.size }),
        ),
      );
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
    return ofStorage(this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: blobKey(hash) }))).then(
      () => true,
      (error: unknown) => {
        if (isAbsent(error)) return false;
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

/**
 * Marks an error as one of this service, as its client does for most of them: their codes are also those of a lost
 * database connection.
 */
async function ofStorage<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof Error
      ? Object.assign(error, { $metadata: (error as { readonly $metadata?: object }).$metadata ?? {} })
      : error;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket';
}
