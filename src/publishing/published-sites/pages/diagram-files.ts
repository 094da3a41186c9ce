import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { packageFolder } from '../../../kernel/platform/package-folder.js';
import type { HttpResponse } from './http-response.js';

/** The injection token of the folder of the finished files that draw diagrams, which may be absent. */
export const DIAGRAMS_FOLDER = Symbol('folder of the files that draw diagrams');

/** The folder into which they are built. */
export function builtDiagrams(): string {
  return join(packageFolder('.') ?? process.cwd(), 'diagrams', 'dist');
}

const PATH = /\/~assets\/diagrams\/([\w-]+)\/([\w./-]+)$/;
const FRAME = 'frame.html';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
};
/**
 * The frame has an origin of its own and can load its scripts alone. Diagrams bring styles along, which hold inside of
 * it only.
 */
const FRAME_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The page that draws diagrams in a frame of published pages, with its scripts: files of a build, read when asked for. */
@Injectable()
export class DiagramFiles {
  /** Changes with any of the files; undefined if they were not built. */
  readonly version: string | undefined;
  private readonly names: ReadonlySet<string>;

  constructor(@Inject(DIAGRAMS_FOLDER) private readonly folder: string) {
    const built = filesIn(folder);
    this.version = built.find((name) => name.endsWith(`/${FRAME}`))?.slice(0, -FRAME.length - 1);
    this.names = new Set(built);
  }

  /** The address of the frame on a site, which never returns other bytes. */
  address(siteBasePath: string): string | undefined {
    return this.version === undefined ? undefined : `${siteBasePath}/~assets/diagrams/${this.version}/${FRAME}`;
  }

  /** The addresses of all files on a site. */
  addresses(siteBasePath: string): string[] {
    const [name] = this.version === undefined ? [] : [`${this.version}/`];
    return [...this.names]
      .filter((file) => name !== undefined && file.startsWith(name) && TYPES[extname(file)] !== undefined)
      .map((file) => `${siteBasePath}/~assets/diagrams/${file}`);
  }

  /** Responds to the address of a file on any site; undefined for other addresses. */
  async answer(path: string, acceptedEncodings: string): Promise<HttpResponse | undefined> {
    const [, version, name] = PATH.exec(path) ?? [];
    const file = `${version}/${name}`;
    const type = name === undefined ? undefined : TYPES[extname(name)];
    if (name === undefined || type === undefined || !this.names.has(file)) return undefined;
    const isCompressed = /\bgzip\b/.test(acceptedEncodings);
    return {
      status: 200,
      headers: {
        'Content-Type': type,
        ...(isCompressed && { 'Content-Encoding': 'gzip' }),
        Vary: 'Accept-Encoding',
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        // The origin of the frame is none, so its modules come from elsewhere.
        'Access-Control-Allow-Origin': '*',
        ...(name === FRAME && { 'Content-Security-Policy': FRAME_POLICY }),
      },
      body: await readFile(join(this.folder, isCompressed ? `${file}.gz` : file)),
    };
  }
}

/** The names of all files below a folder, with slashes; none if it does not exist. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  } catch {
    return [];
  }
}
