import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Response } from 'express';

/** Express, except for responses that are already bytes: its `send` would compute their type and freshness again. */
export class HttpAdapter extends ExpressAdapter {
  constructor() {
    // A path has one meaning in one spelling, for this server and for every proxy and guard in front of it.
    super(express().enable('case sensitive routing'));
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (!Buffer.isBuffer(body)) return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.status(statusCode);
    response.setHeader('Content-Length', body.length);
    return response.end(body);
  }
}
