import { parseDocument } from 'yaml';
import { readYaml } from '../../content/markdown/yaml.js';
import { isMarkdown } from './repository-paths.js';

/**
 * Whether a file of a repository is documentation, and so goes when the space has it no more: Markdown and what lies in
 * `.gitbook`, below the root of the documentation; and the configuration of `directory`.
 */
export function isManagedPath(path: string, directory: string, root: string): boolean {
  if (path === (directory === '' ? '.gitbook.yaml' : `${directory}/.gitbook.yaml`)) return true;
  const prefix = root === '' ? '' : `${root}/`;
  if (!path.startsWith(prefix)) return false;
  const inside = path.slice(prefix.length);
  if (inside.startsWith('.gitbook/')) return true;
  return isMarkdown(inside) && !inside.split('/').some((segment) => segment.startsWith('.') || segment === 'node_modules');
}

/** The configuration of a repository after an export: structure and redirects are those of the space, all else stays. Undefined where nothing is left. */
export function mergedConfig(before: string | undefined, own: string | undefined): string | undefined {
  if (before === undefined) return own;
  if (!isReadable(before)) return own;
  const document = parseDocument(before, { logLevel: 'silent', uniqueKeys: false });
  if (document.contents !== null && document.toJSON() === null) return own;
  const wanted = (own === undefined ? {} : readYaml(own)) as Readonly<Record<string, unknown>>;
  for (const name of ['structure', 'redirects']) {
    if (wanted[name] === undefined) document.delete(name);
    else document.set(name, document.createNode(wanted[name]));
  }
  const left = document.toJSON() as object | null;
  return left === null || Object.keys(left).length === 0 ? undefined : document.toString({ lineWidth: 0 });
}

function isReadable(yaml: string): boolean {
  try {
    readYaml(yaml);
    return true;
  } catch {
    return false;
  }
}
