import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { Addresses } from '../src/kernel/common/addresses.js';
import type { ModuleScreens } from '../src/workspace/browser/module-screens.service.js';
import { WorkspaceEndpoint } from '../src/workspace/browser/workspace-endpoint.js';
import { useApp } from './app.js';

const app = useApp();

const PAGE = '<!doctype html><base href="__APP_BASE__/"><script nonce="__CSP_NONCE__" src="./assets/a-1.js"></script>';
const NO_SCREENS = { places: [], fileAt: () => undefined } as unknown as ModuleScreens;
const SCRIPT = `export const text = '${'workspace '.repeat(50)}';`;

describe('the files of the workspace', () => {
  let folder: string;
  let server: Server;
  let base: string;
  let endpoint: WorkspaceEndpoint;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'workspace-'));
    const dist = join(folder, 'dist');
    const addresses = new Addresses();
    endpoint = new WorkspaceEndpoint(addresses, dist, NO_SCREENS);
    const service = express();
    service.use(endpoint.handle.bind(endpoint));
    service.use((_request, response) => void response.status(418).send('behind'));
    service.use(
      (error: { status: number }, _request: express.Request, response: express.Response, next: express.NextFunction) =>
        response.headersSent ? next(error) : void response.status(error.status).send('refused'),
    );
    server = createServer(service);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    addresses.announce(base, 'http://localhost:4000');
    expect((await fetch(`${base}/app/o/a`)).status).toBe(404);
    await mkdir(join(dist, 'assets'), { recursive: true });
    await writeFile(join(folder, 'secret.txt'), 'secret');
    await writeFile(join(dist, 'index.html'), PAGE);
    await writeFile(join(dist, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await writeFile(join(dist, 'assets', 'a-1.js'), SCRIPT);
    await writeFile(join(dist, 'assets', 'a-1.js.br'), brotliCompressSync(SCRIPT));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  it('are the page at every path without a file, with a nonce of its own', async () => {
    const nonces = new Set<string>();
    for (const path of ['/app', '/app/', '/app/index.html', '/app/o/a/s/b/~/changes/1', '/app/x.y']) {
      const answer = await fetch(base + path);
      const policy = answer.headers.get('content-security-policy') ?? '';
      const nonce = /'nonce-([^']{22}==)'/.exec(policy)?.[1] ?? '';
      nonces.add(nonce);
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
      expect(policy).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob: http://localhost:4000; font-src 'self' http://localhost:4000/~files/; connect-src 'self' http://localhost:4000/~uploads/; frame-src http://localhost:4000; frame-ancestors 'none'; base-uri 'self'; form-action 'self'`,
      );
      expect(await answer.text()).toBe(PAGE.replace('__APP_BASE__', '/app').replace('__CSP_NONCE__', nonce));
    }
    expect(nonces.size).toBe(5);
  });

  it('are kept for good where their names hold a hash, and come compressed', async () => {
    const script = await fetch(`${base}/app/assets/a-1.js`, { headers: { 'Accept-Encoding': 'br' } });
    expect(script.headers.get('content-encoding')).toBe('br');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(await script.text()).toBe(SCRIPT);
    expect((await fetch(`${base}/app/icon.svg`)).headers.get('cache-control')).toBe('no-cache');
    expect((await fetch(`${base}/app/assets/old-2.js`)).status).toBe(404);
  });

  it('are read only, and end where the workspace ends', async () => {
    expect((await fetch(`${base}/app/o/a`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${base}/app`, { method: 'HEAD' })).status).toBe(200);
    for (const path of ['/', '/apple', '/v1/app', '/App/'])
      expect([path, (await fetch(base + path)).status]).toEqual([path, 418]);
  });

  it.each([
    '/app/../secret.txt',
    '/app/%2e%2e/secret.txt',
    '/app/..%2fsecret.txt',
    '/app/assets/..%2f..%2f..%2fsecret.txt',
    '/app/..%5csecret.txt',
    '/app//etc/passwd',
    '/app/%00',
    '/app/%zz',
    '/app/.vite/manifest.json',
  ])('give no other file: %s', async (path) => {
    expect(await raw(base, path)).not.toMatch(/^secret|root:/);
  });
});

describe('a server without the files', () => {
  it('says how to build them, and answers below the workspace alone', async () => {
    const folder = join(tmpdir(), 'there-is-no-such-folder');
    Object.assign(app.current.get(WorkspaceEndpoint), { folder, files: undefined });
    const answer = await fetch(`${app.current.url}/app/o/a`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(await answer.text()).toContain('npm run build --workspace app');
    expect((await fetch(`${app.current.url}/app`, { method: 'DELETE' })).status).toBe(405);
  });
});

/** Sends a path as it is, which `fetch` would normalize. */
function raw(base: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    httpRequest({ hostname, port, path }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve(Buffer.concat(parts).toString()));
    })
      .on('error', reject)
      .end();
  });
}
