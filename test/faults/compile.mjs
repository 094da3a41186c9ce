import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform, version } from '@swc/core';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/bindery-sources', import.meta.url));

const options = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2023',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
  swcrc: false,
};

/** Whatever else than its text a compiled source follows from. */
export const COMPILER = JSON.stringify([version, options]);

/** A source as JavaScript. */
export const compile = async (text, filename) => (await transform(text, { ...options, filename })).code;

/** The file that keeps what a source was compiled to. */
export const keptFile = (filename, text) =>
  join(
    CACHE,
    `${createHash('sha256')
      .update(JSON.stringify([COMPILER, filename, text]))
      .digest('hex')}.js`,
  );
