import { Readable } from 'node:stream';
import { SetMetadata } from '@nestjs/common';

export const RAW_BODY = Symbol('raw body');

/** Leaves the body of a request to the handler, which reads it as `rawBody`. */
export const TakesRawBody = () => SetMetadata(RAW_BODY, true);

/** The bytes of a request for those who may stop reading them: the connection stays whole then, so that the caller sees the answer. */
export function rawBody(request: Readable): Readable {
  return Readable.from(request.iterator({ destroyOnReturn: false }), { objectMode: false });
}

/** All bytes of a body. Throws what `tooLarge` makes where there are more than `limit`. */
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
