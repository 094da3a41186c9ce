import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import sirv, { type RequestHandler } from 'sirv';
import { Addresses } from '../../kernel/common/addresses.js';
import { DomainError } from '../../kernel/common/errors.js';
import { standalonePagePolicy } from '../../kernel/platform/http/standalone-page.js';
import { missingPage, workspacePage, workspacePolicy } from './workspace-page.js';

/** The injection token of the folder of the finished files of the workspace, which may be absent. */
export const WORKSPACE_FOLDER = Symbol('folder of the workspace');

const PAGE = 'index.html';
/** Files whose names hold the hash of their content. */
const HASHED = /^\/assets\//;
const NONCE_BYTES = 16;

interface WorkspaceFiles {
  readonly page: string;
  readonly serve: RequestHandler;
}

/**
 * The workspace in the browser: the files of its build, and its page at every other path below its address. The files
 * are listed once, so that no path reaches another file; those compressed in advance are sent compressed.
 */
@Injectable()
export class WorkspaceEndpoint {
  private files: WorkspaceFiles | undefined;

  constructor(
    private readonly addresses: Addresses,
    @Inject(WORKSPACE_FOLDER) private readonly folder: string,
  ) {}

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
    const files = (this.files ??= this.load());
    if (!files) return this.missing(response);
    const path = request.path.slice(root.length);
    if (path === '' || path === '/' || path === `/${PAGE}`) return this.page(files, response);
    const { url } = request;
    request.url = path;
    files.serve(request, response, () => {
      request.url = url;
      if (HASHED.test(path)) next(new DomainError('notFound', 'The workspace has no such file'));
      else this.page(files, response);
    });
  }

  /** Files that were built after the start are found as well. */
  private load(): WorkspaceFiles | undefined {
    const page = join(this.folder, PAGE);
    if (!existsSync(page)) return undefined;
    const serve = sirv(this.folder, {
      etag: true,
      brotli: true,
      gzip: true,
      extensions: [],
      setHeaders: (response, path) =>
        response.setHeader('Cache-Control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'),
    });
    return { page: readFileSync(page, 'utf8'), serve };
  }

  private page(files: WorkspaceFiles, response: Response): void {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    response
      .set({
        'Cache-Control': 'no-store',
        'Content-Security-Policy': workspacePolicy(new URL(this.addresses.public).origin, nonce),
      })
      .type('html')
      .send(workspacePage(files.page, { base: new URL(this.addresses.app('')).pathname, nonce }));
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
