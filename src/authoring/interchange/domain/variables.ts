import { readYaml, YamlLines } from '../../../formats/markdown/yaml.js';
import { lineOfFault } from './gitbook-yaml.js';

export interface ReadVariables {
  readonly variables: Record<string, string | number | boolean>;
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Reads `.gitbook/vars.yaml`; invalid entries are among the problems. */
export function readVariables(source: string): ReadVariables {
  const variables: Record<string, string | number | boolean> = {};
  const problems: { line: number; message: string }[] = [];
  try {
    const value = readYaml(source);
    const lines = new YamlLines(source);
    for (const [name, item] of Object.entries((value ?? {}) as Record<string, unknown>)) {
      if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') variables[name] = item;
      else problems.push({ line: lines.of(name), message: `${name} is neither text, number nor truth value` });
    }
  } catch (error) {
    problems.push({
      line: lineOfFault(error),
      message: error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it is no YAML',
    });
  }
  return { variables, problems };
}
