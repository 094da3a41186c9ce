import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '../../kernel/common/errors.js';
import type { PublicHandler } from '../../kernel/platform/public-listener.js';
import type { Uploads } from './uploads.service.js';
import { webAddress } from '../../kernel/common/web-address.js';

const PATH = /^\/~uploads\/([A-Za-z0-9]{1,40})$/;

/** Receives uploads on the public listener: the bytes are stored, without any other effect. */
export function uploadEndpoint(uploads: Uploads): PublicHandler {
  return (request, response, next) => {
    const url = request.url ?? '/';
    const address = url.startsWith('/~uploads/') ? webAddress(url, 'http://localhost') : undefined;
    const key = address && PATH.exec(address.pathname)?.[1];
    if (!address || key === undefined) return next();
    answer(uploads, key, address.searchParams, request, response).catch(next);
  };
}

async function answer(
  uploads: Uploads,
  key: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Browsers upload from the pages of any origin: only the signature in the address counts.
  response.setHeader('Access-Control-Allow-Origin', '*');
  if (request.method === 'OPTIONS') {
    response
      .writeHead(204, {
        'Access-Control-Allow-Methods': 'PUT, POST',
        'Access-Control-Allow-Headers': 'Content-Type',
        'Access-Control-Max-Age': '86400',
      })
      .end();
    return;
  }
  if (request.method !== 'PUT' && request.method !== 'POST')
    throw new DomainError('methodNotAllowed', 'Files are uploaded by PUT or POST', [], { Allow: 'PUT, POST' });
  await uploads.receive(key, query, request);
  response.writeHead(204, { 'Cache-Control': 'no-store' }).end();
}
