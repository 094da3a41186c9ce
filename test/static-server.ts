import { createServer } from 'node:http';
import { readFile, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
};

/** A web server that knows nothing but files: folders answer with their `index.html`, behind a slash, as everywhere. */
export interface StaticServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves a folder at a path of the host, '' for its root. */
export async function serveFolder(folder: string, base = ''): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const answer = async (): Promise<void> => {
      if (!pathname.startsWith(base)) return void response.writeHead(404).end();
      const place = join(folder, decodeURIComponent(pathname.slice(base.length)));
      const found = await stat(place).catch(() => undefined);
      if (found?.isDirectory() && !pathname.endsWith('/'))
        return void response.writeHead(301, { Location: `${pathname}/${search}` }).end();
      const file = found?.isDirectory() ? join(place, 'index.html') : place;
      const bytes =
        pathname.endsWith('/') && !found?.isDirectory() ? undefined : await readFile(file).catch(() => undefined);
      const body = bytes ?? (await readFile(join(folder, '404.html')).catch(() => ''));
      const type = TYPES[extname(bytes ? file : '404.html')] ?? 'application/octet-stream';
      // Hosts of static sites let every origin read files; servers of one's own are told so for the frame of diagrams.
      response.writeHead(bytes ? 200 : 404, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' }).end(body);
    };
    answer().catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
