import { Readable } from 'node:stream';

/**
 * The bytes of a request for those who may stop reading them: the connection stays whole then, and what is left is read and
 * dropped, so that the caller sees the answer.
 */
export function rawBody(request: Readable): Readable {
  return Readable.from(bytesOf(request), { objectMode: false });
}

async function* bytesOf(request: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) yield chunk;
  } finally {
    request.resume();
  }
}
