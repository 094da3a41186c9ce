import type { Response } from 'express';

/**
 * Sends values as server-sent events (HTML Living Standard, section 9.2), each as JSON, and `done` at the end. An error
 * before the first value is thrown and gives an ordinary response; a later one is sent as the event `error` without its
 * cause. Ends when the reader has gone.
 */
export async function sendEvents(response: Response, values: AsyncIterable<object>): Promise<void> {
  const iterator = values[Symbol.asyncIterator]();
  let next = await iterator.next();
  response.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    // Compression would hold events back.
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  try {
    while (next.done !== true && !response.destroyed) {
      response.write(`data: ${JSON.stringify(next.value)}\n\n`);
      next = await iterator.next();
    }
    response.end('event: done\ndata: {}\n\n');
  } catch {
    response.end(
      `event: error\ndata: ${JSON.stringify({ error: { code: 500, message: 'The answer has failed' } })}\n\n`,
    );
  } finally {
    await iterator.return?.();
  }
}
