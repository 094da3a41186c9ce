import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '../../kernel/common/errors.js';
import type { PublicHandler } from '../../kernel/platform/public-listener.js';
import type { FileEndpoint } from '../../kernel/platform/storage/file-endpoint.js';
import type { Renderings } from './renderings.service.js';
import { webAddress } from '../../kernel/common/web-address.js';

const PATH = /^\/~pdf\/([A-Za-z0-9]{1,40})\/[^/]+$/;

/** Serves `/~pdf/<id>/<name>` on the public listener, as soon as the PDF is ready. */
export function pdfEndpoint(renderings: Renderings, files: FileEndpoint): PublicHandler {
  return (request, response, next) => {
    const url = request.url ?? '/';
    const address = url.startsWith('/~pdf/') ? webAddress(url, 'http://localhost') : undefined;
    const id = address && PATH.exec(address.pathname)?.[1];
    if (!address || id === undefined) return next();
    answer({ renderings, files }, id, address.searchParams, request, response).catch(next);
  };
}

async function answer(
  { renderings, files }: { renderings: Renderings; files: FileEndpoint },
  id: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new DomainError('methodNotAllowed', 'PDFs can only be read', [], { Allow: 'GET, HEAD' });
  const { file, maxAge } = await renderings.download(id, query, () => !response.destroyed);
  await files.send(file, maxAge, request, response);
}
