import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import sirv, { type RequestHandler } from 'sirv';
import { Addresses } from '../../kernel/common/addresses.js';
import { DomainError } from '../../kernel/common/errors.js';
import { standalonePagePolicy } from '../../kernel/platform/http/standalone-page.js';
import { isScreenFilePath, ModuleScreens } from './module-screens.service.js';
import { missingPage, workspacePage, workspacePolicy } from './workspace-page.js';

/** The injection token of the folder of the finished files of the workspace, which may be absent. */
export const WORKSPACE_FOLDER = Symbol('folder of the workspace');

const PAGE = 'index.html';
/** Files whose names hold the hash of their content. */
const HASHED = /^\/assets\//;
const FOR_GOOD = 'public, max-age=31536000, immutable';
const NONCE_BYTES = 16;

/**
 * The workspace in the browser: the files of its build, those of screens that modules bring, and its page at every other
 * path below its address. Files compressed in advance are sent compressed. They are looked up at each request, because a
 * new build replaces them while the service runs.
 */
@Injectable()
export class WorkspaceEndpoint {
  private readonly serve: RequestHandler;

  constructor(
    private readonly addresses: Addresses,
    @Inject(WORKSPACE_FOLDER) private readonly folder: string,
    private readonly screens: ModuleScreens,
  ) {
    this.serve = sirv(folder, {
      dev: true,
      etag: true,
      brotli: true,
      gzip: true,
      extensions: [],
      setHeaders: (response, path) => response.setHeader('Cache-Control', HASHED.test(path) ? FOR_GOOD : 'no-cache'),
    });
  }

  /** The middleware; it runs after the rate limits. */
  handle(request: Request, response: Response, next: NextFunction): void {
    const root = this.root;
    if (request.path !== root && !request.path.startsWith(`${root}/`)) return next();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return next(
        new DomainError('methodNotAllowed', `${request.method} is not possible here, only GET, HEAD`, [], {
          Allow: 'GET, HEAD',
        }),
      );
    response.set({
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'same-origin',
      'X-Frame-Options': 'DENY',
    });
    const path = request.path.slice(root.length);
    if (isScreenFilePath(path)) return this.screenFile(path, response, next);
    if (!existsSync(join(this.folder, PAGE))) return this.missing(response);
    if (path === '' || path === '/' || path === `/${PAGE}`) return void this.page(response).catch(next);
    const { url } = request;
    request.url = path;
    this.serve(request, response, () => {
      request.url = url;
      if (HASHED.test(path)) next(new DomainError('notFound', 'The workspace has no such file'));
      else this.page(response).catch(next);
    });
  }

  private async page(response: Response): Promise<void> {
    const page = await readFile(join(this.folder, PAGE), 'utf8');
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    response
      .set({
        'Cache-Control': 'no-store',
        'Content-Security-Policy': workspacePolicy(new URL(this.addresses.public).origin, nonce),
      })
      .type('html')
      .send(
        workspacePage(page, {
          base: new URL(this.addresses.app('')).pathname,
          nonce,
          screenPlaces: this.screens.places,
        }),
      );
  }

  /** A file of a module: its address has the hash of its content. One that is opened by itself may do nothing. */
  private screenFile(path: string, response: Response, next: NextFunction): void {
    const file = this.screens.fileAt(path);
    if (!file) return next(new DomainError('notFound', 'No module has such a file, or not any more'));
    response
      .set({
        'Cache-Control': FOR_GOOD,
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Content-Type': file.type,
      })
      .send(file.bytes);
  }

  private missing(response: Response): void {
    response
      .status(404)
      .set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': standalonePagePolicy("'none'") })
      .type('html')
      .send(missingPage());
  }

  /** The path of the workspace as it arrives here: a proxy takes the path of the API away. */
  private get root(): string {
    const [app, api] = [this.addresses.app(''), this.addresses.api].map((address) => new URL(address).pathname);
    const prefix = (api ?? '').replace(/\/$/, '');
    return (app ?? '').startsWith(`${prefix}/`) ? (app ?? '').slice(prefix.length) : (app ?? '');
  }
}
