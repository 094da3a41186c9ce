import { Readable } from 'node:stream';

/**
 * The bytes of a request for those who may stop reading them: the connection stays whole then, and what is left is read and
 * dropped, so that the caller sees the answer.
 */
export function rawBody(request: Readable): Readable {
  return Readable.from(bytesOf(request), { objectMode: false });
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

async function* bytesOf(request: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) yield chunk;
  } finally {
    request.resume();
  }
}
