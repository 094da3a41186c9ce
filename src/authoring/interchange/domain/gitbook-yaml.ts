import { stringify } from 'yaml';
import { readYaml, yamlFault, YamlLines } from '../../../formats/markdown/yaml.js';
import { normalizePath } from './repository-paths.js';

/** The content of `.gitbook.yaml`. Paths are relative to `root`, which is '' for the root of the repository. */
export interface RepositoryConfig {
  root: string;
  readme: string;
  summary: string;
  /** Maps an old path to a page's file or an address. */
  redirects: Map<string, string>;
  /** The line of each redirect, by its old path. */
  redirectLines: Map<string, number>;
  problems: { line: number; message: string }[];
}

/** Reads `.gitbook.yaml`; absent values have their default. */
export function readRepositoryConfig(source = ''): RepositoryConfig {
  const config: RepositoryConfig = {
    root: '',
    readme: 'README.md',
    summary: 'SUMMARY.md',
    redirects: new Map(),
    redirectLines: new Map(),
    problems: [],
  };
  let value: unknown;
  try {
    value = readYaml(source);
  } catch (error) {
    const { line, reason } = yamlFault(error);
    config.problems.push({ line, message: `it is no YAML: ${reason}` });
    return config;
  }
  if (value === null || value === undefined) return config;
  const lines = new YamlLines(source);
  if (!isRecord(value)) {
    config.problems.push({ line: 1, message: 'it is not a mapping' });
    return config;
  }
  const root = typeof value.root === 'string' ? normalizePath(value.root) : '';
  if (root === undefined)
    config.problems.push({ line: lines.of('root'), message: '`root` leads out of the repository' });
  else config.root = root;
  if (isRecord(value.structure)) {
    for (const name of ['readme', 'summary'] as const) {
      const path = value.structure[name];
      const inside = typeof path === 'string' ? normalizePath(path) : undefined;
      if (inside !== undefined) config[name] = inside;
      else if (path !== undefined)
        config.problems.push({
          line: lines.of('structure', name),
          message: `\`structure.${name}\` is no path inside the repository`,
        });
    }
  }
  if (isRecord(value.redirects)) {
    for (const [from, to] of Object.entries(value.redirects)) {
      const path = redirectedPath(from);
      if (typeof to === 'string') {
        config.redirects.set(path, to);
        config.redirectLines.set(path, lines.ofRedirect(path));
      } else
        config.problems.push({ line: lines.of('redirects', from), message: `the redirect from ${from} has no target` });
    }
  }
  return config;
}

/** The path that a redirect leads from, which may be written with a slash or `./` before it. */
export function redirectedPath(from: string): string {
  return from.replace(/^\.?\//, '');
}

/** Writes `.gitbook.yaml`; `undefined` if all values are defaults. */
export function writeConfig(config: {
  structure?: { readme: string; summary: string };
  redirects: ReadonlyMap<string, string>;
}): string | undefined {
  const value = {
    ...(config.structure === undefined ? {} : { structure: config.structure }),
    ...(config.redirects.size === 0 ? {} : { redirects: Object.fromEntries(config.redirects) }),
  };
  return Object.keys(value).length === 0 ? undefined : stringify(value, { lineWidth: 0 });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
