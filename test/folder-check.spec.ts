import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RULES } from '../src/authoring/interchange/domain/rules.js';
import { DIRECT_READS } from '../src/authoring/interchange/domain/source-reads.js';
import { checkFolder, type Finding } from '../src/authoring/interchange/folder-check.js';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';
import { SpecificationReader } from '../src/formats/openapi/reading/specification-reader.js';
import { cliFile } from './faults/program.js';
import { pause } from './faults/processes.js';

const HOME = `---
title: [x
---

# Home

See [a](a.md#here) and [b](b.md) and
also ![pic](x.png) and [anchor](a.md#nowhere).

> - quoted [c](c.md)

<p>An <a href="d.md">html</a> <img src="y.png"></p>

{% include ".gitbook/includes/no.md" %}

{% what %}

![whole](z.png)

| a | b |
|---|---|
| x | [t](t.md) |

<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>
<a href="cell.md">k</a></td></tr></tbody></table>

{% openapi src="api.yaml" path="/x" method="get" %}
{% endopenapi %}

{% openapi src="none.yaml" path="/x" method="get" %}
{% endopenapi %}

[js](javascript:alert(1)) [ref][r] {% file src="no.pdf" %}

{% file src="no.pdf" %}

[r]: gone.md
[u]: unused.md
`;

const FAULTY: Readonly<Record<string, string>> = {
  'SUMMARY.md':
    '# Table of contents\n\n* [Home](README.md)\n* [A](a.md)\n  * [Lost](lost.md)\n* [A again](a.md)\n* [Gone](gone/)\n\nWords\n',
  'README.md': HOME,
  'a.md': '# A\n\n## Here\n\n{% include ".gitbook/includes/i.md" %}\n\n[i](#inc) [self](#selfno)\n',
  '.gitbook/includes/i.md': '## Inc\n\n[m](missing.md) [of the page](#here)\n',
  '.gitbook/vars.yaml': 'version:\n  - 1\n',
  '.gitbook.yaml': 'redirects:\n  old: nowhere.md\n',
  'api.yaml': 'openapi: 3.0.0\ninfo:\n  title: x\npaths:\n  /x:\n    get:\n      respons: {}\n',
  'other.json': '{"info": {"title": "x", "version": "1"}, "openapi": "3.1.0", "paths": {}, "tags": 1}',
  'data.json': '{"openapi": true}',
  'unlisted.md': '# Unlisted\n',
};

const FOUND = [
  'error .gitbook.yaml:2 broken-link',
  'error .gitbook/includes/i.md:3:1 broken-link',
  'error .gitbook/vars.yaml:1 configuration',
  'error README.md:2 front-matter',
  'error README.md:7:24 broken-link',
  'error README.md:8:6 missing-image',
  'error README.md:8:24 broken-anchor',
  'error README.md:10:12 broken-link',
  'error README.md:12:7 broken-link',
  'error README.md:12:31 missing-image',
  'error README.md:14:1 missing-include',
  'warning README.md:16:1 unsupported-markup',
  'error README.md:18:1 missing-image',
  'error README.md:22:7 broken-link',
  'error README.md:25:1 broken-link',
  'error README.md:30:1 missing-specification',
  'error README.md:33:1 unsafe-link',
  'error README.md:33:27 broken-link',
  'error README.md:35:1 missing-file',
  'notice README.md:38:1 unused-definition',
  'error SUMMARY.md:5:5 missing-page',
  'warning SUMMARY.md:6:3 duplicate-page',
  'error SUMMARY.md:7:3 broken-link',
  'warning SUMMARY.md:9 table-of-contents',
  'error a.md:7:11 broken-anchor',
  'warning api.yaml:2 faulty-specification',
  'warning api.yaml:6 faulty-specification',
  'warning api.yaml:7 faulty-specification',
  'notice data.json:1 unused-file',
  'notice other.json:1 unused-file',
  'warning other.json:1 faulty-specification',
  'notice unlisted.md:1 unlisted-page',
];

const LEVELS = ['none', 'note', 'warning', 'error'];

/** The parts of the format that are written; each object has no others. */
interface SarifLog {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string;
        readonly semanticVersion?: string;
        readonly rules: readonly {
          readonly id: string;
          readonly shortDescription: object;
          readonly defaultConfiguration: { readonly level: string };
        }[];
      };
    };
    readonly columnKind?: string;
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly startLine: number; readonly startColumn?: number };
        };
      }[];
    }[];
  }[];
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-check-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

const check = async (atOnce = 3) =>
  checkFolder(await readFolder(folder), {
    reads: DIRECT_READS,
    specifications: new SpecificationReader(),
    atOnce,
    signal: new AbortController().signal,
  });

const placed = ({ severity, file, line, column, rule }: Finding): string =>
  `${severity} ${[file, line, ...(column === undefined ? [] : [column])].join(':')} ${rule}`;

/** Runs the command line in the folder. */
async function bindery(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const cli = await cliFile();
  return new Promise((settle) => {
    execFile(process.execPath, [cli, ...words], { cwd: folder }, (error, out, err) =>
      settle({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

const SITE = `# Ours
site:
  title: Pottery
  structure:
    - type: section-group
      key: group
      title: Learn
      children:
        - type: section
          key: guides
          title: Guides
          path: guides
          default: true
          children:
            - {type: space, key: throwing, title: Throwing, path: throwing, default: true, content: {directory: ./guides/throwing}}
            - type: space
              key: glazes
              title: Glazes
              localizedTitle: {de: Glasuren}
              path: glazes
              condition: visitor.claims.isPotter
              content:
                directory: /guides/glazes/
                language: en
        - type: external-link
          key: shop
          title: Shop
          url: https://shop.example.com/
    - type: section
      key: elsewhere
      title: Elsewhere
      path: elsewhere
      children: [{type: space, key: far, title: Far, path: far, default: true, content: {directory: null}}]
`;

describe('the check of a folder with a site', () => {
  const FILES = {
    'gitbook-docs.yaml': SITE,
    'README.md': '# No page\n\n[gone](gone.md)\n',
    'guides/throwing/.gitbook.yaml': 'root: ./docs\nredirects:\n  shine: ../../glazes/ash.md\n',
    'guides/throwing/docs/README.md':
      '# Throwing\n\n[ash](../../glazes/ash.md#wood) [all](/guides/glazes/) [out](../../../README.md) [gone](../../glazes/gone.md)\n',
    'guides/throwing/docs/SUMMARY.md': '* [Throwing](README.md)\n* [Glazes](../../glazes/README.md)\n',
    'guides/glazes/README.md': '# Glazes\n\n[back](../throwing/docs/README.md)\n',
    'guides/glazes/ash.md': '# Ash\n\n## Wood\n',
  };

  it('reads the folder of each space, and links between them', async () => {
    await write(FILES);
    const { pages, findings } = await check();
    expect(findings.map(placed)).toEqual([
      'error guides/throwing/docs/README.md:3:56 broken-link',
      'error guides/throwing/docs/README.md:3:82 broken-link',
    ]);
    expect(pages).toBe(4);
    await rm(join(folder, 'gitbook-docs.yaml'));
    await write({ 'docs.yaml': SITE });
    expect((await check()).findings).toEqual(findings);
    await write({ 'docs.yaml': 'openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {}\n' });
    expect((await check()).findings.map(placed)).toContain('error README.md:3:1 broken-link');
  });

  it.each<[string, string, string]>([
    ['title: Pottery', 'name: Pottery', '2 the `title` is no text of 2 to 128 characters'],
    ['# Ours', 'version: 2', '1 `version` is not 1'],
    ['site:', 'pages: [', '4 it is no YAML'],
    [
      'type: section-group',
      'type: chapter',
      '5 a site holds no chapter, only section-group, section, space, external-link',
    ],
    ['key: glazes', 'key: guides', '16 the space guides has the key of another node'],
    ['path: elsewhere', 'path: guides', '29 the section elsewhere has the path of another node'],
    ['path: glazes', 'path: Throwing', '16 the space glazes has the path of another node'],
    ['throwing, default: true', 'throwing', '9 the section guides has 0 defaults among its 2, not one'],
    ['key: elsewhere', 'key: elsewhere\n      default: true', '29 the site has 2 defaults among its 2, not one'],
    ['throwing, default: true', 'throwing, draft: true, default: true', '15 the default throwing is a draft'],
    ['language: en', 'language: xx', '24 the `content.language` of the space glazes is none that is known'],
    ['/guides/glazes/', './guides/throwing', '16 the space glazes gives the folder guides/throwing a second language'],
    ['/guides/glazes/', '../glazes', '23 the `content.directory` of the space glazes is no path inside the repository'],
    ['/guides/glazes/', 'clay', '16 the folder clay of the space glazes is not there'],
    ['visitor.claims.isPotter', '"visitor +"', '21 the `condition` of the space glazes'],
    [
      'https://shop.example.com/',
      'mailto:a@example.com',
      '28 the `url` of the external-link shop is no address by http or https',
    ],
    ['{de: Glasuren}', '[Glasuren]', '19 the `localizedTitle` of the space glazes is no list of texts by language'],
    ['title: Learn', 'title: Learn\n      icon: a b', '8 the `icon` of the section-group group is no name of an icon'],
    [
      'title: Learn',
      'title: Learn\n      draft: maybe',
      '8 the `draft` of the section-group group is neither true nor false',
    ],
    ['children: [{', 'children: x\n      more: [{', '33 `children` is not a list'],
    ['title: Shop', 'title: S', '27 the `title` of the external-link shop is no text of 2 to 128 characters'],
    [
      'path: elsewhere',
      'path: else/where',
      '32 the `path` of the section elsewhere must begin with a letter or digit and consist of',
    ],
    ['title: Learn', 'title: Learn\n      draft: true', '10 the default guides stands in the section-group group'],
  ])('names the node and the line of a fault: %s', async (from, to, found) => {
    expect(SITE).toContain(from);
    await write({ ...FILES, 'gitbook-docs.yaml': SITE.replace(from, to) });
    const faults = (await check()).findings.filter(({ file }) => file === 'gitbook-docs.yaml');
    expect(faults.map(({ line, message }) => `${line} ${message}`.slice(0, found.length))).toEqual([found]);
  });

  it('keeps the rules of levels', async () => {
    const space = (key: string) =>
      `{type: space, key: ${key}, title: ${key}, path: ${key}, default: true, content: {directory: null}}`;
    const group = (key: string, inside: string) =>
      `{type: section-group, key: ${key}, title: ${key}, children: [${inside}]}`;
    const link = '{type: external-link, key: link, title: Link, url: "https://example.com/"}';
    const section = `{type: section, key: s, title: Section, path: s, default: true, children: [${space('a')}]}`;
    const found = async (structure: string) => {
      await write({ 'docs.yaml': `site: {title: Levels, structure: [${structure}]}\n` });
      return (await check()).findings.map(({ message }) => message);
    };
    expect(await found(`${space('b')}`)).toEqual([]);
    expect(await found(group('g', group('h', section)))).toEqual([]);
    expect(await found(group('g', group('h', group('i', section))))).toEqual([
      'the section-group i lies too deep: in two others',
    ]);
    expect(await found(`${space('b')}, ${link}`)).toEqual(['the external-link link needs a site with a section']);
    expect(await found(`${space('b')}, ${group('g', '')}`)).toEqual([
      'the section-group g needs a site with a section',
    ]);
    expect(await found(`${section}, ${space('b')}`)).toEqual([
      'the space b stands beside sections: it belongs inside of one',
    ]);
    expect(await found(group('g', space('b')))).toEqual([
      'a section-group holds no space, only section-group, section, external-link',
    ]);
    expect(await found(section.replace(space('a'), link))).toEqual(['a section holds no external-link, only space']);
  });
});

describe('the check of a folder', () => {
  it('finds each fault at its place, by rules that are described', async () => {
    await write(FAULTY);
    await symlink('a.md', join(folder, 'linked.md'));
    const { pages, findings } = await check();
    expect(pages).toBe(6);
    const expected = [...FOUND];
    expected.splice(FOUND.indexOf('notice data.json:1 unused-file') + 1, 0, 'warning linked.md:1 refused-file');
    expect(findings.map(placed)).toEqual(expected);
    expect(findings.filter(({ rule }) => !RULES[rule].description.endsWith('.'))).toEqual([]);
    expect(new Set(findings.map(({ message }) => message === ''))).toEqual(new Set([false]));
  });

  it('finds the same however many texts are read at once', async () => {
    await write(FAULTY);
    expect(await check(1)).toEqual(await check(50));
  });

  it('knows the anchors of headings, tabs, includes and computed pages, and the files that pages use', async () => {
    await write({
      'README.md':
        '# Home <a href="#top" id="top"></a>\n\n[own](#top) [tab](b.md#two) [heading](b.md#cafe) [lost](b.md#three) [raw](raw.json) [c](c.md#other)\n',
      'b.md': '# B\n\n{% tabs %}\n{% tab title="Two" %}\nText\n{% endtab %}\n{% endtabs %}\n\n### Café\n',
      'c.md':
        '---\ncomputed:\n  type: builtin:openapi\n  props:\n    doc: operations\n    page: pet\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: pet-store\n---\n\n# C\n\n## Any\n',
      'raw.json': '{}',
    });
    expect((await check()).findings.map(placed)).toEqual(['error README.md:3:50 broken-anchor']);
  });

  it('reads a root of its own, and says which paths pages cannot have', async () => {
    await write({
      '.gitbook.yaml': 'root: ./docs/\n',
      'outside.md': '# Out\n',
      'docs/README.md': '[a](lost.md)\n',
      'docs/x.md': '---\nslug: same\n---\n\n# X\n',
      'docs/y.md': '---\nslug: same\n---\n\n# Y\n',
    });
    expect((await check()).findings.map(placed)).toEqual([
      'notice .gitbook.yaml:1 outside-root',
      'error docs/README.md:1:1 broken-link',
      'warning docs/y.md:1 path-taken',
    ]);
  });
});

it('is described with all of its rules', async () => {
  const guide = await readFile('docs/guides/own-machine.md', 'utf8');
  const rows = [...guide.matchAll(/^\| `([a-z-]+)` \| (error|warning|notice) \| (.*) \|$/gm)];
  expect(rows.map(([, rule, severity, description]) => [rule, { severity, description }])).toEqual(
    Object.entries(RULES).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
});

describe('bindery check', () => {
  it('tells people, with an exit code', async () => {
    await write(FAULTY);
    const { code, out, err } = await bindery('check', '.');
    const lines = out.trimEnd().split('\n');
    expect({ code, err, last: lines.at(-1), count: lines.length - 1 }).toEqual({
      code: 1,
      err: '',
      last: '6 pages: 21 errors, 7 warnings, 4 notices.',
      // Both files that are not used stand in one line.
      count: FOUND.length - 1,
    });
    expect(lines).toContain('README.md:7:24: error: b.md leads nowhere (broken-link)');
    expect(lines).toContain(
      'data.json:1: notice: no page shows this file, so it is not imported (unused-file); also other.json:1',
    );
  });

  it('says which file went away, or became another, while the folder was read', async () => {
    await write({ 'README.md': '# Home\n', 'sub/gone.md': '# Gone\n', 'link.md': '# Link\n' });
    const { files } = await readFolder(folder);
    await rm(join(folder, 'sub'), { recursive: true });
    await rm(join(folder, 'link.md'));
    await symlink('README.md', join(folder, 'link.md'));
    const read = (path: string) => Promise.resolve(files.get(path)?.read());
    await expect(read('sub/gone.md')).rejects.toMatchObject({
      code: 'invalid',
      message: 'sub/gone.md: it went away while the folder was read',
    });
    await expect(read('link.md')).rejects.toMatchObject({
      code: 'invalid',
      message: 'link.md: it became a symbolic link while the folder was read',
    });
  });

  it('names the first places of notices that say the same, after all faults', async () => {
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`file-${index}.json`, '{}']));
    await write({ 'README.md': '# Home\n\nA [link](x.md).\n', ...files });
    expect((await bindery('check', '.')).out.split('\n')).toEqual([
      'README.md:3:3: error: x.md leads nowhere (broken-link)',
      'file-0.json:1: notice: no page shows this file, so it is not imported (unused-file); also file-1.json:1, file-2.json:1, file-3.json:1, file-4.json:1 and 3 more',
      '1 page: 1 error, 0 warnings, 8 notices.',
      '',
    ]);
  });

  it('fails for warnings only where it is strict, and for wrong usage with 2', async () => {
    await write({ 'README.md': '# Home\n\n{% what %}\n' });
    expect((await bindery('check', '.')).code).toBe(0);
    expect((await bindery('check', '.', '--strict')).code).toBe(1);
    expect(await bindery('check', 'README.md')).toMatchObject({ code: 2, out: '' });
    await symlink('circle', join(folder, 'circle'));
    expect(await bindery('check', 'circle')).toMatchObject({
      code: 2,
      err: expect.stringContaining('must be a folder that exists'),
    });
    expect(await bindery('check', '.', '--format', 'xml')).toMatchObject({ code: 2, out: '' });
  });

  it('writes JSON, SARIF and commands of GitHub Actions', async () => {
    await write({ 'a b/README.md': '# Home\n\nA [link](x,%:.md).\n' });
    const finding = {
      file: 'a b/README.md',
      line: 3,
      column: 3,
      rule: 'broken-link',
      severity: 'error',
      message: 'x,%:.md leads nowhere',
    };
    expect(JSON.parse((await bindery('check', 'a b', '--format', 'json')).out)).toEqual({
      pages: 1,
      errors: 1,
      warnings: 0,
      notices: 0,
      findings: [finding],
    });
    expect(await bindery('check', 'a b', '--format', 'github')).toEqual({
      code: 1,
      out: '::error file=a b/README.md,line=3,col=3,title=broken-link::x,%25:.md leads nowhere\n',
      err: '',
    });
    const names = Object.keys(RULES);
    const { version, runs } = JSON.parse((await bindery('check', 'a b', '--format', 'sarif')).out) as {
      version: string;
      runs: { tool: { driver: { name: string; rules: { id: string }[] } }; results: unknown[] }[];
    };
    expect({ version, runs: runs.length }).toEqual({ version: '2.1.0', runs: 1 });
    expect(runs[0]?.tool.driver).toMatchObject({ name: 'bindery', rules: names.map((id) => ({ id })) });
    expect(runs[0]?.results).toEqual([
      {
        ruleId: 'broken-link',
        ruleIndex: names.indexOf('broken-link'),
        level: 'error',
        message: { text: finding.message },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'a%20b/README.md' },
              region: { startLine: 3, startColumn: 3 },
            },
          },
        ],
      },
    ]);
  });

  it('writes SARIF as the standard describes it, whatever it finds', async () => {
    await write({ ...FAULTY, 'ä %/README.md': '# Ä\n\n[x](y.md)\n' });
    const log = JSON.parse((await bindery('check', '.', '--format', 'sarif')).out) as SarifLog;
    expect(Object.keys(log).sort()).toEqual(['$schema', 'runs', 'version']);
    expect([new URL(log.$schema).protocol, log.version, log.runs.length]).toEqual(['https:', '2.1.0', 1]);
    const { tool, results, columnKind, ...others } = log.runs[0] ?? {
      tool: { driver: { name: '', rules: [] } },
      results: [],
    };
    expect([columnKind, others]).toEqual(['utf16CodeUnits', {}]);
    const { name, semanticVersion, rules, ...more } = tool.driver;
    expect([name, more]).toEqual(['bindery', {}]);
    expect(semanticVersion).toMatch(/^\d+\.\d+\.\d+/);
    for (const { id, shortDescription, defaultConfiguration, ...rest } of rules) {
      expect([/^[a-z-]+$/.test(id), Object.keys(shortDescription), rest]).toEqual([true, ['text'], {}]);
      expect(LEVELS).toContain(defaultConfiguration.level);
    }
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    expect(results.length).toBeGreaterThan(FOUND.length);
    for (const { ruleId, ruleIndex, level, message, locations, ...rest } of results) {
      expect([rules[ruleIndex]?.id, LEVELS.includes(level), rest]).toEqual([ruleId, true, {}]);
      expect([Object.keys(message), message.text === '', locations.length]).toEqual([['text'], false, 1]);
      for (const { physicalLocation } of locations) {
        const { uri } = physicalLocation.artifactLocation;
        // A reference of RFC 3986, from which the path is read again.
        expect(uri).toMatch(/^(?:[\w.~/-]|%[0-9A-F]{2})+$/);
        expect((await stat(join(folder, decodeURIComponent(uri)))).isFile()).toBe(true);
        const { startLine, startColumn = 1, ...region } = physicalLocation.region;
        const isCounted = [startLine, startColumn].every((number) => Number.isInteger(number) && number >= 1);
        expect([isCounted, region]).toEqual([true, {}]);
      }
    }
  });

  it('names files elsewhere by their whole path, and finds nothing in the documentation', async () => {
    const fixture = resolve('docs');
    expect(await bindery('check', fixture, '--strict')).toEqual({
      code: 0,
      out: expect.stringMatching(/^\d+ pages: 0 errors, 0 warnings, 0 notices\.\n$/) as unknown as string,
      err: '',
    });
    await write({ 'inside/x.txt': '', 'README.md': '[x](y.md)\n' });
    const cli = await cliFile();
    const { out } = await new Promise<{ out: string }>((settle) => {
      execFile(
        process.execPath,
        [cli, 'check', '..', '--format', 'sarif'],
        { cwd: join(folder, 'inside') },
        (_error, stdout) => settle({ out: stdout }),
      );
    });
    expect(out).toContain(`"uri":"${pathToFileURL(join(folder, 'README.md')).href}"`);
  });
});

describe('bindery dev', () => {
  it('shows a folder as a site, what is saved at once, and leaves nothing', async () => {
    await write({
      'site/README.md': '# Home\n\n[a](a.md) [b](b.md)\n',
      'site/a.md': '# A\n\nOld words\n',
      'tmp/x': '',
    });
    const [site, temporary] = [join(folder, 'site'), join(folder, 'tmp')];
    const server = spawn(process.execPath, [await cliFile(), 'dev', 'site', '--port', '0'], {
      cwd: folder,
      env: { ...process.env, TMPDIR: temporary },
    });
    let out = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    const ended = once(server, 'exit');
    const said = async (words: RegExp, from = 0): Promise<string> => {
      for (;;) {
        const found = words.exec(out.slice(from))?.[0];
        if (found !== undefined) return found;
        if (server.exitCode !== null) throw new Error(`it ended: ${out}`);
        await pause(50);
      }
    };
    try {
      const url = await said(/http:\/\/127\.0\.0\.1:\d+\/site/);
      expect(await said(/site\/README\.md:3.*\n/)).toBe(
        'site/README.md:3:11: error: b.md leads nowhere (broken-link)\n',
      );
      await said(/2 pages: 1 error, 0 warnings, 0 notices\./);
      const page = await fetch(`${url}/a`);
      const html = await page.text();
      const [, version] =
        /<script src="\/~bindery-dev\/reload\.js" data-version="(\d+)"><\/script><\/body>/.exec(html) ?? [];
      expect([page.status, html.includes('Old words'), version === undefined]).toEqual([200, true, false]);
      expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self' 'nonce-.*connect-src 'self'/);
      expect(await (await fetch(new URL('/~bindery-dev/reload.js', url))).text()).toContain('location.reload()');
      const events = (await fetch(new URL('/~bindery-dev/events', url))).body?.getReader();
      const told = async () => new TextDecoder().decode((await events?.read())?.value);
      expect(await told()).toBe(`data: ${version ?? ''}\n\n`);
      const from = out.length;
      await writeFile(join(site, 'a.md'), '# A\n\nNew words\n');
      await writeFile(join(site, 'b.md'), '# B\n');
      expect(Number((await told()).slice(6))).toBeGreaterThan(Number(version));
      await said(/3 pages: 0 errors, 0 warnings, 0 notices\./, from);
      expect(await (await fetch(`${url}/a`)).text()).toContain('New words');
      expect((await fetch(`${url}/b`)).status).toBe(200);
      // A program that writes the whole folder anew deletes the old one.
      await rm(site, { recursive: true });
      await write({ 'site/README.md': '# Home\n' });
      await said(/1 page: 0 errors, 0 warnings, 0 notices\./, from);
      const again = out.length;
      await writeFile(join(site, 'c.md'), '# C\n');
      await said(/2 pages: 0 errors, 0 warnings, 0 notices\./, again);
    } finally {
      server.kill('SIGINT');
    }
    expect(await ended).toEqual([0, null]);
    expect(await readdir(temporary)).toEqual(['x']);
  }, 180_000);
});
