import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import { Cache } from '../../../kernel/common/cache.js';
import type { HttpResponse } from './http-response.js';
import { facesOf, fontOfFile, servedFont, type Font, type FontFaces, type ServedFont } from './domain/fonts.js';

const PATH = /\/~assets\/([\w-]+)\/([a-z0-9-]+\.woff2)$/;
const HASH_LENGTH = 16;

const require = createRequire(import.meta.url);

/** A font on a site. */
export interface SiteFont {
  /** The rules of its faces, which stand in the page: a style sheet of their own would be one request more before it is painted. */
  readonly faces: string;
  /** The address of the slice that nearly every page needs. */
  readonly latin: string | undefined;
}

interface LoadedFont extends FontFaces {
  readonly hash: string;
}

/** Serves the fonts of settings, each read when a site first uses it. */
@Injectable()
export class SiteFonts {
  private readonly loaded = new Map<string, LoadedFont>();
  private readonly bytes = new Cache<Buffer>({ share: 2, weigh: ({ length }) => length });

  /** A font on a site, with addresses that never return other bytes; undefined for one that is not served. */
  of(siteBasePath: string, font: Font): SiteFont | undefined {
    const served = servedFont(font);
    if (!served) return undefined;
    const { hash, latin, css } = this.load(served);
    const below = `${siteBasePath}/~assets/${hash}/`;
    return { faces: css(below), latin: latin === undefined ? undefined : below + latin };
  }

  /** Responds to a font address of any site; undefined for other addresses. */
  async answer(path: string): Promise<HttpResponse | undefined> {
    const [, hash, file = ''] = PATH.exec(path) ?? [];
    const served = fontOfFile(file);
    if (!served) return undefined;
    const font = this.load(served);
    if (!font.files.has(file)) return undefined;
    return {
      status: 200,
      headers: {
        'Content-Type': 'font/woff2',
        'Cache-Control': hash === font.hash ? 'public, max-age=31536000, immutable' : 'no-cache',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
      body: await this.read(served, file),
    };
  }

  private load(font: ServedFont): LoadedFont {
    const known = this.loaded.get(font.name);
    if (known) return known;
    const faces = facesOf(
      font,
      font.sheets.map(({ name }) => readFileSync(require.resolve(`${font.package}/${name}`), 'utf8')),
    );
    const { version } = JSON.parse(readFileSync(require.resolve(`${font.package}/package.json`), 'utf8')) as {
      version: string;
    };
    const made: LoadedFont = {
      ...faces,
      hash: createHash('sha256')
        .update(`${version}\n${faces.css('')}`)
        .digest('base64url')
        .slice(0, HASH_LENGTH),
    };
    this.loaded.set(font.name, made);
    return made;
  }

  private async read(font: ServedFont, file: string): Promise<Buffer> {
    const bytes = this.bytes.get(file) ?? (await readFile(require.resolve(`${font.package}/files/${file}`)));
    this.bytes.set(file, bytes);
    return bytes;
  }
}
