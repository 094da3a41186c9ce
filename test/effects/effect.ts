/** The test that shows what settings, fields or parameters change, with what it shows. */
export interface Effect {
  /** The spec file below `test/`, without `.spec.ts`. */
  readonly spec: string;
  /** The title of the test, as it stands in the file. */
  readonly test: string;
  /** The names, separated by blanks. */
  readonly of: string;
}

/** `spec › title` of a test that is named by an effect, and what it shows the effect of. */
export function effect(test: string, of: string): Effect {
  const [spec = '', ...title] = test.split(' › ');
  return { spec, test: title.join(' › '), of };
}

/** All names that a text has: `a.{b,c} d` are `a.b`, `a.c` and `d`. */
export function namesIn(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((name) => name !== '')
    .flatMap(expanded);
}

function expanded(name: string): string[] {
  const [, before = '', list, after = ''] = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(name) ?? [];
  return list === undefined ? [name] : list.split(',').flatMap((part) => expanded(`${before}${part}${after}`));
}
