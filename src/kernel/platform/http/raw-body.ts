import { Readable } from 'node:stream';
import { SetMetadata } from '@nestjs/common';

export const RAW_BODY = Symbol('raw body');

/** Leaves the body of a request to the handler, which reads it as `rawBody`. */
export const TakesRawBody = () => SetMetadata(RAW_BODY, true);

/**
 * The bytes of a request for handlers that may stop reading early: the connection stays open, so that the caller sees
 * the response.
 */
export function rawBody(request: Readable): Readable {
  return Readable.from(request.iterator({ destroyOnReturn: false }), { objectMode: false });
}

/** Returns all bytes of a body. Throws the result of `tooLarge` if there are more than `limit`. */
export async function bytesWithin(body: AsyncIterable<Buffer>, limit: number, tooLarge: () => Error): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
