import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';

/** Express, but for answers that are bytes already: its `send` would look at their type and freshness again. */
export class HttpAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (!Buffer.isBuffer(body)) return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.status(statusCode);
    response.setHeader('Content-Length', body.length);
    return response.end(body);
  }
}
