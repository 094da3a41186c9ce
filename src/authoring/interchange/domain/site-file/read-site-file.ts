import { isObject } from '../../../../formats/document/checks.js';
import { withoutUndefined } from '../../../../formats/document/without-undefined.js';
import { readYaml, yamlFault, YamlLines } from '../../../../formats/markdown/yaml.js';
import { expressionFault } from '../../../../kernel/common/expressions/parse.js';
import { ICON_NAME } from '../../../../kernel/common/icon-name.js';
import { isWebAddress } from '../../../../kernel/common/web-address.js';
import { pathFault } from '../../../../kernel/common/site-path.js';
import { LANGUAGE_CODES } from '../../../../kernel/common/languages.js';
import { directoryFrom, type LocalizedText, type SiteFile, type SiteNode, type SpaceNode } from './site-file.js';
import { faultsOfSite } from './site-rules.js';

export interface SiteFileProblem {
  readonly line: number;
  readonly message: string;
}

export interface ReadSite {
  /** Undefined if anything is wrong: a site is read as a whole or not at all. */
  readonly site: SiteFile | undefined;
  readonly problems: readonly SiteFileProblem[];
  /** The line of each node, by its key. */
  readonly lines: ReadonlyMap<string, number>;
}

const MAX_NODES = 1000;
const MAX_KEY = 200;
const MAX_TITLE = 128;
/** The shortest and the longest title of a site, and of its parts. */
const TITLES = {
  site: [2, 128],
  section: [2, 128],
  'external-link': [2, 128],
  'section-group': [1, 100],
  space: [1, 128],
} as const;
const MAX_DESCRIPTION = 256;
const MAX_PATH = 100;
const MAX_URL = 2048;
const MAX_CONDITION = 1024;
const MAX_DIRECTORY = 1024;

/** Reads the file of a site; every problem names its node and line. */
export function readSiteFile(source: string): ReadSite {
  const lines = new Map<string, number>();
  const failed = (line: number, message: string): ReadSite => ({
    site: undefined,
    problems: [{ line, message }],
    lines,
  });
  let value: unknown;
  try {
    value = readYaml(source);
  } catch (error) {
    const { line, reason } = yamlFault(error);
    return failed(line, `it is no YAML: ${reason}`);
  }
  const reader = new SiteFileReader(new YamlLines(source), lines);
  const site = reader.read(value);
  const faults = reader.problems.length > 0 ? [] : faultsOfSite(site);
  const problems = [
    ...reader.problems,
    ...faults.map(({ key, message }) => ({ line: lines.get(key ?? '') ?? 1, message })),
  ];
  return { site: problems.length > 0 ? undefined : site, problems, lines };
}

type Values = Readonly<Record<string, unknown>>;
type Way = readonly string[];

/** The types of nodes that a node of each type can hold, and those that the site itself can. */
const INSIDE = {
  site: ['section-group', 'section', 'space', 'external-link'],
  'section-group': ['section-group', 'section', 'external-link'],
  section: ['space'],
} as const;

class SiteFileReader {
  readonly problems: SiteFileProblem[] = [];
  private nodes = 0;

  constructor(
    private readonly places: YamlLines,
    private readonly lines: Map<string, number>,
  ) {}

  read(value: unknown): SiteFile {
    const root = isObject(value) ? value : {};
    if (root['version'] !== undefined && root['version'] !== 1) this.report(['version'], '`version` is not 1');
    const site = isObject(root['site']) ? root['site'] : undefined;
    if (site === undefined) this.report([], 'it has no `site`');
    return {
      title: this.text(site ?? {}, ['site'], 'title', TITLES.site) ?? '',
      structure: this.list(site?.['structure'], ['site', 'structure'], 'site'),
    };
  }

  private report(way: Way, message: string): void {
    this.problems.push({ line: this.places.of(...way), message });
  }

  private list(value: unknown, way: Way, parent: keyof typeof INSIDE): SiteNode[] {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) {
      this.report(way, `\`${way.at(-1) ?? ''}\` is not a list`);
      return [];
    }
    return value.flatMap((item: unknown, index): SiteNode[] => this.node(item, [...way, String(index)], parent));
  }

  private node(value: unknown, way: Way, parent: keyof typeof INSIDE): SiteNode[] {
    if ((this.nodes += 1) > MAX_NODES) {
      if (this.nodes === MAX_NODES + 1) this.report(way, `a site has at most ${MAX_NODES} nodes`);
      return [];
    }
    const values = isObject(value) ? value : {};
    const type = INSIDE[parent].find((known) => known === values['type']);
    if (type === undefined) {
      const written = typeof values['type'] === 'string' ? values['type'] : 'node without a known `type`';
      this.report(way, `a ${parent} holds no ${written}, only ${INSIDE[parent].join(', ')}`);
      return [];
    }
    const key = this.text(values, way, 'key', [1, MAX_KEY]) ?? '';
    if (key !== '') this.lines.set(key, this.places.of(...way));
    const base = {
      key,
      title: this.text(values, way, 'title', TITLES[type]) ?? '',
      ...withoutUndefined({ localizedTitle: this.localized(values, way, 'localizedTitle', MAX_TITLE) }),
    };
    switch (type) {
      case 'space':
        return [{ type, ...base, ...this.space(values, way) }];
      case 'section': {
        const children = this.list(values['children'], [...way, 'children'], 'section') as SpaceNode[];
        const path = this.path(values, way);
        const chosen = this.flag(values, way, 'default');
        return [
          {
            type,
            ...base,
            path,
            ...this.described(values, way),
            ...withoutUndefined({ default: chosen }),
            ...some(children),
          },
        ];
      }
      case 'external-link':
        return [
          { type, ...base, url: this.address(values, way), ...this.described(values, way), ...this.draft(values, way) },
        ];
      case 'section-group': {
        const children = this.list(values['children'], [...way, 'children'], 'section-group');
        const icon = this.icon(values, way);
        return [
          {
            type,
            ...base,
            ...withoutUndefined({ icon }),
            ...this.draft(values, way),
            ...some(children as Exclude<SiteNode, SpaceNode>[]),
          },
        ];
      }
    }
  }

  private space(values: Values, way: Way): Omit<SpaceNode, 'type' | 'key' | 'title' | 'localizedTitle'> {
    const content = isObject(values['content']) ? values['content'] : {};
    const { directory, language } = content;
    const inside = [...way, 'content'];
    const isPlace = typeof directory === 'string' && directory.length <= MAX_DIRECTORY;
    if (directory !== null && (!isPlace || directoryFrom('', directory) === undefined))
      this.report(
        [...inside, 'directory'],
        `the \`content.directory\`${named(values)} is no path inside the repository`,
      );
    const known = LANGUAGE_CODES.find((code) => code === language);
    if (language !== undefined && known === undefined)
      this.report([...inside, 'language'], `the \`content.language\`${named(values)} is none that is known`);
    return {
      path: this.path(values, way),
      ...withoutUndefined({
        default: this.flag(values, way, 'default'),
        hidden: this.flag(values, way, 'hidden'),
        condition: this.condition(values, way),
      }),
      ...this.draft(values, way),
      content: { directory: isPlace ? directory : null, ...withoutUndefined({ language: known }) },
    };
  }

  private described(values: Values, way: Way) {
    return withoutUndefined({
      description: this.text(values, way, 'description', [1, MAX_DESCRIPTION], true),
      localizedDescription: this.localized(values, way, 'localizedDescription', MAX_DESCRIPTION),
      icon: this.icon(values, way),
      condition: this.condition(values, way),
    });
  }

  private draft(values: Values, way: Way) {
    return withoutUndefined({ draft: this.flag(values, way, 'draft') });
  }

  private text(
    values: Values,
    way: Way,
    name: string,
    [min, max]: readonly [number, number],
    optional = false,
  ): string | undefined {
    const value = values[name];
    if (optional && (value === undefined || value === null || value === '')) return undefined;
    if (typeof value === 'string' && value.trim() !== '' && value.length >= min && value.length <= max) return value;
    this.report([...way, name], `the \`${name}\`${named(values)} is no text of ${min} to ${max} characters`);
    return undefined;
  }

  private path(values: Values, way: Way): string {
    const value = this.text(values, way, 'path', [1, MAX_PATH]) ?? '';
    const fault = value === '' ? undefined : pathFault(value);
    if (fault !== undefined) this.report([...way, 'path'], `the \`path\`${named(values)} ${fault}`);
    return value;
  }

  /** Undefined for false, which is what an absent one is. */
  private flag(values: Values, way: Way, name: string): true | undefined {
    const value = values[name];
    if (value !== undefined && typeof value !== 'boolean')
      this.report([...way, name], `the \`${name}\`${named(values)} is neither true nor false`);
    return value === true ? true : undefined;
  }

  private localized(values: Values, way: Way, name: string, max: number): LocalizedText | undefined {
    const value = values[name];
    if (value === undefined || value === null) return undefined;
    const texts = isObject(value) ? Object.entries(value) : undefined;
    if (texts?.every(([, text]) => typeof text === 'string' && text.length <= max))
      return texts.length === 0 ? undefined : (Object.fromEntries(texts) as LocalizedText);
    this.report([...way, name], `the \`${name}\`${named(values)} is no list of texts by language`);
    return undefined;
  }

  private icon(values: Values, way: Way): string | undefined {
    const value = values['icon'];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string' && ICON_NAME.test(value)) return value;
    this.report([...way, 'icon'], `the \`icon\`${named(values)} is no name of an icon`);
    return undefined;
  }

  private condition(values: Values, way: Way): string | undefined {
    const value = this.text(values, way, 'condition', [1, MAX_CONDITION], true);
    const fault = value === undefined ? undefined : expressionFault(value);
    if (fault !== undefined) this.report([...way, 'condition'], `the \`condition\`${named(values)} ${fault}`);
    return value;
  }

  private address(values: Values, way: Way): string {
    const value = this.text(values, way, 'url', [1, MAX_URL]) ?? '';
    if (value !== '' && !(isWebAddress(value) && /^https?:\/\//i.test(value)))
      this.report([...way, 'url'], `the \`url\`${named(values)} is no address by http or https`);
    return value;
  }
}

function some<Child>(children: readonly Child[]): { children?: readonly Child[] } {
  return children.length === 0 ? {} : { children };
}

function named({ type, key }: Values): string {
  return typeof type === 'string' && typeof key === 'string' ? ` of the ${type} ${key}` : '';
}
