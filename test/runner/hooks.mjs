const TESTS = new URL('..', import.meta.url).href;
const GLOBALS = new URL('globals.mjs', import.meta.url).href;

/** Gives the spec file's number to what it loads from `test/`, so that this is another instance than that of other spec files. */
export async function resolve(specifier, context, next) {
  const spec = context.parentURL?.match(/\?spec=\d+$/)?.[0];
  if (spec === undefined) return next(specifier, context);
  if (specifier === '@jest/globals') return { url: GLOBALS + spec, format: 'module', shortCircuit: true };
  const resolved = await next(specifier, context);
  if (!resolved.url.startsWith(TESTS) || resolved.url.includes('?')) return resolved;
  return { ...resolved, url: resolved.url + spec };
}
