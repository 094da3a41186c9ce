import { Transform, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { asOutboundError, OutboundError } from './outbound-error.js';

/**
 * The body of a response, decompressed; it fails as soon as more than `maxBytes` were received or decompressed. Errors
 * of the source end it, too.
 */
export function limitedBody(source: Readable, encoding: string | undefined, maxBytes: number): Readable {
  const decoder = decoderFor(encoding);
  const received = chain(source, limit(maxBytes));
  return decoder ? chain(chain(received, decoder), limit(maxBytes)) : received;
}

function chain(source: Readable, target: Transform): Transform {
  source.on('error', (error) => target.destroy(asOutboundError(error)));
  source.on('aborted', () => target.destroy(new OutboundError('failed', 'the connection was lost')));
  target.on('close', () => source.destroy());
  // Closing early is not a failure of the source that needs to be reported.
  return source.pipe(target);
}

function limit(maxBytes: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      if (size > maxBytes) done(new OutboundError('tooLarge', `the answer is larger than ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
}

function decoderFor(encoding: string | undefined): Transform | undefined {
  switch ((encoding ?? 'identity').trim().toLowerCase()) {
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new OutboundError('failed', 'the answer has an unknown Content-Encoding');
  }
}
