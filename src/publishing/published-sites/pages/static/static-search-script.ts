import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { packageFolder } from '../../../../kernel/platform/package-folder.js';
import { withoutComments } from '../site-assets.js';

const NAME = 'search.js';
const HASH_LENGTH = 16;

const require = createRequire(import.meta.url);

interface Script {
  readonly bytes: Buffer;
  /** Base 64. */
  readonly hash: string;
}

/** The script that searches sites of files: MiniSearch, and what asks it; read when such a site is first written. */
@Injectable()
export class StaticSearchScript {
  private loaded: Script | undefined;

  /** Its address on a site, which never returns other bytes, and its hash as browsers check it. */
  at(siteBasePath: string): { readonly script: string; readonly integrity: string } {
    const { hash } = this.load();
    const name = hash.slice(0, HASH_LENGTH).replaceAll('+', '-').replaceAll('/', '_');
    return { script: `${siteBasePath}/~assets/${name}/${NAME}`, integrity: `sha256-${hash}` };
  }

  get bytes(): Buffer {
    return this.load().bytes;
  }

  private load(): Script {
    return (this.loaded ??= read());
  }
}

function read(): Script {
  const folder = packageFolder('assets');
  if (folder === undefined) throw new Error('the folder assets/ with the script of static sites is missing');
  const library = dirname(dirname(require.resolve('minisearch')));
  const texts = [join(library, 'umd', 'index.js'), join(folder, 'static-search.js')].map((file) =>
    withoutComments(readFileSync(file, 'utf8')),
  );
  const license = readFileSync(join(dirname(library), 'LICENSE.txt'), 'utf8').trim();
  const code = texts.join('').replace(/^\/\/# sourceMappingURL=.*$/gm, '');
  const bytes = Buffer.from(`/*! MiniSearch\n\n${license}\n*/\n${code}`);
  return { bytes, hash: createHash('sha256').update(bytes).digest('base64') };
}
