import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { ofStorage } from './s3-client.js';

/** Bytes up to which an object is stored by one request; the service takes 5 GiB at most. */
const WHOLE = 1024 ** 3;
/** Bytes of a part, which is in memory and sent again if the service fails for a moment. */
const PART = 16 * 1024 ** 2;
/** The service takes no more parts of an object. */
const MOST_PARTS = 10_000;

/** The place of an object. */
export interface ObjectPlace {
  readonly Bucket: string;
  readonly Key: string;
}

/** Stores an object of `size` bytes as a whole or not at all, large ones in parts. */
export async function putObject(
  client: S3Client,
  place: ObjectPlace,
  body: Uint8Array | Readable,
  size: number,
  whole = WHOLE,
): Promise<void> {
  if (body instanceof Uint8Array || size <= whole) {
    await ofStorage(client.send(new PutObjectCommand({ ...place, Body: body, ContentLength: size })));
    return;
  }
  const { UploadId } = await ofStorage(client.send(new CreateMultipartUploadCommand(place)));
  const upload = { ...place, UploadId };
  try {
    const Parts: CompletedPart[] = [];
    let sent = 0;
    for await (const Body of partsOf(body, Math.max(PART, Math.ceil(size / MOST_PARTS)))) {
      const PartNumber = Parts.length + 1;
      const { ETag } = await ofStorage(client.send(new UploadPartCommand({ ...upload, PartNumber, Body })));
      Parts.push({ PartNumber, ETag });
      sent += Body.length;
    }
    if (sent !== size) throw new Error(`${sent} bytes came instead of ${size}`);
    await ofStorage(client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })));
  } catch (error) {
    // The first error counts; a rule of the bucket removes what stays of this upload.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}

/** The bytes of a stream in parts of one size, the last one shorter. */
async function* partsOf(stream: Readable, size: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (let rest = chunk; rest.length > 0;) {
      const some = rest.subarray(0, size - length);
      chunks.push(some);
      length += some.length;
      rest = rest.subarray(some.length);
      if (length < size) continue;
      yield Buffer.concat(chunks);
      [chunks, length] = [[], 0];
    }
  }
  if (length > 0) yield Buffer.concat(chunks);
}
