import { transform, version } from '@swc/core';

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
