import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Addresses } from '../../../kernel/common/addresses.js';
import { resumed } from '../../../kernel/common/context.js';
import { packageFolder } from '../../../kernel/platform/package-folder.js';
import { DEFAULT_CUSTOMIZATION } from '../../sites/customization.schema.js';
import { CompressedFile, type Encoding } from './compressed-file.js';
import { hostThemeSheet } from './domain/theme.js';

const NAME = '/content.css';

/** Selectors of pages that mean the whole document, as they are in a shadow tree. */
const IN_SHADOW: readonly (readonly [page: string, shadow: string])[] = [
  [
    ':root:not([data-theme=dark]) & .only-dark, [data-theme=dark] & .only-light { display: none; }',
    [
      '.only-dark { display: none; }',
      '@media (prefers-color-scheme: dark) { :host(:not([data-theme])) & .only-dark { display: revert; } :host(:not([data-theme])) & .only-light { display: none; } }',
      ':host([data-theme=dark]) & .only-dark { display: revert; }',
      ':host([data-theme=dark]) & .only-light { display: none; }',
    ].join('\n  '),
  ],
  ['[dir=rtl] summary::before, [dir=rtl] & summary::before', ':host([dir=rtl]) & summary::before'],
  ['[dir=rtl] & a.content-ref::after', ':host([dir=rtl]) & a.content-ref::after'],
];

/**
 * The style sheet for the content that the workspace shows in shadow trees, below an element of the class `content`:
 * that of published pages with the usual settings, and the style of comparisons.
 */
@Injectable()
export class WorkspaceStyle {
  private readonly file: CompressedFile;
  private readonly etag: string;

  constructor(private readonly addresses: Addresses) {
    const folder = packageFolder('assets');
    if (folder === undefined) throw new Error('the folder assets/ with the style sheets of content is missing');
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    const content = IN_SHADOW.reduce((css, [page, shadow]) => inShadow(css, page, shadow), read('content.css'));
    const plain = Buffer.from([hostThemeSheet(DEFAULT_CUSTOMIZATION), content, read('workspace.css')].join('\n'));
    this.file = new CompressedFile(plain);
    this.etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 16)}"`;
  }

  get css(): string {
    return this.file.plain.toString();
  }

  /** Responds to the address of the style sheet, `content.css` below that of the workspace. */
  handle(request: Request, response: Response, next: NextFunction): void {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.path !== new URL(this.addresses.app(NAME)).pathname) return next();
    response.setHeader('ETag', this.etag);
    response.setHeader('Cache-Control', 'public, no-cache');
    response.setHeader('Vary', 'Accept-Encoding');
    if (request.headers['if-none-match'] === this.etag) {
      response.status(304).end();
      return;
    }
    response.setHeader('Content-Type', 'text/css; charset=utf-8');
    const encoding = request.acceptsEncodings('br', 'gzip') as Encoding | false;
    const { file } = this;
    const body = encoding === false ? Promise.resolve(file.plain) : file.in(encoding);
    body.then((bytes) => {
      resumed();
      if (encoding !== false) response.setHeader('Content-Encoding', encoding);
      response.setHeader('Content-Length', bytes.length);
      response.end(request.method === 'HEAD' ? undefined : bytes);
    }, next);
  }
}

function inShadow(css: string, page: string, shadow: string): string {
  if (!css.includes(page)) throw new Error(`the style sheet of content has no rule ${page}`);
  return css.replace(page, () => shadow);
}
