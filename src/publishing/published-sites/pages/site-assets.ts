import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { resumed } from '../../../kernel/common/context.js';
import { packageFolder } from '../../../kernel/platform/package-folder.js';
import { CompressedFile, type Encoding } from './compressed-file.js';
import { DiagramFiles } from './diagram-files.js';
import type { HttpResponse } from './http-response.js';

/** The assets of the pages of all sites: several files of the folder `assets` may be served as one. */
const SERVED = {
  'site.css': { parts: ['content.css', 'site.css'], type: 'text/css; charset=utf-8' },
  /** Loaded by pages with operations once somebody tries one. */
  'console.js': { parts: ['console.js'], type: 'text/javascript; charset=utf-8' },
  'site.js': { parts: ['site.js'], type: 'text/javascript; charset=utf-8' },
} as const;
type Name = keyof typeof SERVED;

const PATH = /\/~assets\/([\w-]+)\/([\w.]+)$/;
const HASH_LENGTH = 16;

interface Asset {
  readonly type: string;
  readonly hash: string;
  readonly file: CompressedFile;
}

/** The style sheet and the script of published pages, read once at start, and what draws diagrams on them. */
@Injectable()
export class SiteAssets {
  private readonly assets: Readonly<Record<Name, Asset>>;
  /** Changes with any of them: pages that name them are rendered again. */
  readonly version: string;

  constructor(private readonly diagramFiles: DiagramFiles) {
    const folder = packageFolder('assets');
    if (folder === undefined)
      throw new Error('the folder assets/ with the style sheet and script of published pages is missing');
    this.assets = {
      'site.css': load(folder, 'site.css'),
      'site.js': load(folder, 'site.js'),
      'console.js': load(folder, 'console.js'),
    };
    const { version = '' } = diagramFiles;
    this.version =
      Object.values(this.assets)
        .map(({ hash }) => hash)
        .join('') + version;
  }

  /** The address of an asset on a site, which never returns other bytes. */
  address(siteBasePath: string, name: Name): string {
    return `${siteBasePath}/~assets/${this.assets[name].hash}/${name}`;
  }

  /** The address of the page that draws diagrams in a frame; undefined if its files were not built. */
  diagrams(siteBasePath: string): string | undefined {
    return this.diagramFiles.address(siteBasePath);
  }

  /** Responds to an asset address of any site; undefined for other addresses. */
  async answer(path: string, acceptedEncodings = ''): Promise<HttpResponse | undefined> {
    return (await this.own(path, acceptedEncodings)) ?? (await this.diagramFiles.answer(path, acceptedEncodings));
  }

  private async own(path: string, acceptedEncodings: string): Promise<HttpResponse | undefined> {
    const [, hash, name] = PATH.exec(path) ?? [];
    const asset = name !== undefined && Object.hasOwn(this.assets, name) ? this.assets[name as Name] : undefined;
    if (!asset) return undefined;
    const encoding = encodingOf(acceptedEncodings);
    const body = encoding === undefined ? asset.file.plain : await asset.file.in(encoding);
    resumed();
    return {
      status: 200,
      headers: {
        'Content-Type': asset.type,
        ...(encoding !== undefined && { 'Content-Encoding': encoding }),
        Vary: 'Accept-Encoding',
        // A page of an older version of the service gets the current file, without caching.
        'Cache-Control': hash === asset.hash ? 'public, max-age=31536000, immutable' : 'no-cache',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
      body,
    };
  }
}

function load(folder: string, name: Name): Asset {
  const { parts, type } = SERVED[name];
  const plain = Buffer.from(parts.map((part) => withoutComments(readFileSync(join(folder, part), 'utf8'))).join(''));
  return {
    type,
    hash: createHash('sha256').update(plain).digest('base64url').slice(0, HASH_LENGTH),
    file: new CompressedFile(plain),
  };
}

/** A script or style sheet without its indentation and its comments, which begin their lines: a seventh less to load. */
export function withoutComments(text: string): string {
  return text.replace(/^[ \t]*(?:\/\*(?:(?!\*\/)[^])*\*\/\n|\/\/.*\n)/gm, '').replace(/^[ \t]+/gm, '');
}

function encodingOf(accepted: string): Encoding | undefined {
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
}
