import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { isAbsent, ofStorage, s3Client, type S3Connection } from '../../kernel/platform/storage/s3-client.js';
import { putObject } from '../../kernel/platform/storage/s3-upload.js';
import type { BackupTarget, ObjectBody, TargetObject } from './backup-target.js';

/** Backups as objects of a bucket. The service stores an object as a whole or not at all. */
export class S3Target implements BackupTarget {
  private readonly client: S3Client;
  private readonly prefix: string;

  constructor(
    readonly address: string,
    private readonly bucket: string,
    prefix: string,
    settings: S3Connection,
  ) {
    this.client = s3Client(settings);
    this.prefix = prefix === '' ? '' : `${prefix}/`;
  }

  async put(name: string, body: ObjectBody): Promise<void> {
    const [bytes, size] = body instanceof Uint8Array ? [body, body.length] : [body.stream, body.size];
    await putObject(this.client, this.place(name), bytes, size);
  }

  async get(name: string): Promise<Readable | undefined> {
    const answer = await ofStorage(this.client.send(new GetObjectCommand(this.place(name)))).catch(ifAbsent);
    if (answer === undefined) return undefined;
    if (!(answer.Body instanceof Readable)) throw new Error('the storage answered without a body');
    return answer.Body;
  }

  async has(name: string): Promise<boolean> {
    return (await ofStorage(this.client.send(new HeadObjectCommand(this.place(name)))).catch(ifAbsent)) !== undefined;
  }

  async remove(name: string): Promise<void> {
    await ofStorage(this.client.send(new DeleteObjectCommand(this.place(name))));
  }

  async *list(folder: string): AsyncIterable<TargetObject> {
    const wanted = { Bucket: this.bucket, Prefix: `${this.prefix}${folder}` };
    let ContinuationToken: string | undefined;
    do {
      const page = await ofStorage(this.client.send(new ListObjectsV2Command({ ...wanted, ContinuationToken })));
      for (const { Key, Size = 0, LastModified } of page.Contents ?? [])
        if (Key !== undefined && LastModified)
          yield { name: Key.slice(this.prefix.length), size: Size, modifiedAt: LastModified };
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  async removeUnfinished(): Promise<number> {
    return 0;
  }

  close(): void {
    this.client.destroy();
  }

  private place(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.bucket, Key: `${this.prefix}${name}` };
  }
}

function ifAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
  return undefined;
}
