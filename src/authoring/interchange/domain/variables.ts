import { readYaml, yamlFault, YamlLines } from '../../../formats/markdown/yaml.js';

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
    const { line, reason } = yamlFault(error);
    problems.push({ line, message: reason.split('\n')[0] ?? '' });
  }
  return { variables, problems };
}
