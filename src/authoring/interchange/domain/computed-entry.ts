import { stringify } from 'yaml';
import { computedSourceFault, plainSource, type ComputedSource } from '../../../formats/document/computed-source.js';
import { isObject } from '../../../formats/document/checks.js';
import { ICON_NAME } from '../../../kernel/common/icon-name.js';
import { readYaml, yamlFault } from '../../../formats/markdown/yaml.js';
import type { PageAttributes } from '../../content/domain/content-change.js';
import { titleFromName } from './repository-paths.js';

/** A computed page in a table of contents: a YAML fence with its source, and further attributes of its page. */
export interface ComputedEntry {
  readonly title: string;
  readonly source: ComputedSource;
  readonly attributes: Pick<PageAttributes, 'icon' | 'emoji' | 'hidden'>;
}

/** The reason why an entry cannot be read; `line` is that in its YAML, from 1. */
export interface ComputedFault {
  readonly line: number;
  readonly message: string;
}

/** Reads the YAML of an entry. */
export function readComputed(yaml: string): ComputedEntry | ComputedFault {
  let value: unknown;
  try {
    value = readYaml(yaml);
  } catch (error) {
    return { line: yamlFault(error).line, message: 'what the page is computed from is no YAML' };
  }
  const { title, icon, emoji, hidden, ...source } = isObject(value) ? value : {};
  const fault = computedSourceFault(source, 'computed');
  if (fault)
    return {
      line: 1,
      message: `the page cannot be computed: ${[fault.path, fault.message].filter(Boolean).join(' ')}`,
    };
  const plain = plainSource(source as unknown as ComputedSource);
  return {
    title: typeof title === 'string' && title !== '' ? title : titleOf(plain),
    source: plain,
    attributes: {
      ...(typeof icon === 'string' && ICON_NAME.test(icon) && { icon }),
      ...(typeof emoji === 'string' && { emoji }),
      ...(hidden === true && { hidden }),
    },
  };
}

/** Writes the YAML of an entry, which `readComputed` can read. */
export function writeComputed({ title, source, attributes }: ComputedEntry): string {
  const { icon, emoji, hidden } = attributes;
  const page = {
    ...(title !== titleOf(source) && { title }),
    ...(icon !== undefined && { icon }),
    ...(emoji !== undefined && { emoji }),
    ...(hidden === true && { hidden }),
  };
  return stringify({ ...page, ...plainSource(source) }, { lineWidth: 0 }).trimEnd();
}

function titleOf({ dependencies }: ComputedSource): string {
  return titleFromName(dependencies.spec.ref.spec);
}
