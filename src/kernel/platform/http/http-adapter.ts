import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Response } from 'express';

/** Express, but for answers that are bytes already: its `send` would look at their type and freshness again. */
export class HttpAdapter extends ExpressAdapter {
  constructor() {
    // Paths mean one thing in one spelling, to us as to every proxy and guard before us.
    super(express().enable('case sensitive routing'));
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (!Buffer.isBuffer(body)) return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.status(statusCode);
    response.setHeader('Content-Length', body.length);
    return response.end(body);
  }
}
