import { stringify } from 'yaml';
import { isObject } from '../document/checks.js';
import { readYaml, YamlLines } from './yaml.js';

/** How YAML is written: long texts stay on one line. */
export const YAML_WRITING = { lineWidth: 0 } as const;

/** Undefined if the text is not YAML, or not a mapping. */
export function mappingIn(yaml: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = readYaml(yaml) ?? {};
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the lines of some keys of a mapping, `undefined` removes them; new keys come last, and all else stays as
 * written. Correct if the mapping has one key after another, and nothing else on their lines.
 */
export function replaceKeys(
  source: string,
  keys: readonly string[],
  changes: Readonly<Record<string, unknown>>,
): string {
  const lineEnd = source.includes('\r\n') ? '\r' : '';
  const lines = source.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const places = new YamlLines(source);
  const begins = keys.map((key) => places.of(key) - 1);
  const written = (name: string, line = ''): string[] =>
    changes[name] === undefined
      ? []
      : stringify({ [name]: changes[name] }, { ...YAML_WRITING, ...quotesOf(line) })
          .trimEnd()
          .split('\n')
          .map((each) => each + lineEnd);
  const parts: string[] = lines.slice(
    0,
    begins.reduce((first, each) => Math.min(first, each), lines.length),
  );
  keys.forEach((key, index) => {
    const section = lines.slice(begins[index], begins[index + 1]);
    // Comments between two keys belong to the second one.
    const last = section.findLastIndex((line, at) => at === 0 || (line.trim() !== '' && !line.startsWith('#')));
    parts.push(...(Object.hasOwn(changes, key) ? [...written(key, section[0]), ...section.slice(last + 1)] : section));
  });
  const known = new Set(keys);
  for (const name of Object.keys(changes)) if (!known.has(name)) parts.push(...written(name));
  return `${parts.join('\n')}\n`;
}

/** The quotes of the value on a line, for the value that replaces it. */
function quotesOf(line: string): { defaultStringType?: 'QUOTE_DOUBLE' | 'QUOTE_SINGLE'; defaultKeyType?: 'PLAIN' } {
  const quote = /^[^:]*:\s*(["'])/.exec(line)?.[1];
  if (quote === undefined) return {};
  return { defaultStringType: quote === '"' ? 'QUOTE_DOUBLE' : 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' };
}
