import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { readYaml } from '../src/formats/markdown/yaml.js';
import { keepSiteFile } from '../src/authoring/interchange/domain/site-file/keep-site-file.js';
import { readSiteFile } from '../src/authoring/interchange/domain/site-file/read-site-file.js';
import type { SiteFile, SiteNode } from '../src/authoring/interchange/domain/site-file/site-file.js';
import { writeSiteFile } from '../src/authoring/interchange/domain/site-file/write-site-file.js';
import { rounds } from './property/content-generators.js';
import { sites } from './property/site-generators.js';

const FILE = `# The site.
version: 1

site:
  title: "Handbook" # its name
  # For everybody.
  structure:
    # The parts.

    # Guides.
    - type: section
      key: guides
      title: 'Guides'
      path: guides
      default: true
      owner: docs
      children:
        - {type: space, key: start, title: Start, path: start, default: true, content: {directory: ./start}} # flow

    # Reference.
    - key: reference # reordered
      type: section
      path: reference
      title:   Reference


      description: >-
        All
        of it
      children:
        # The first.
        - type: space
          title: One
          key: one
          path: one
          default: true
          content:
            directory: ./one   # here
        # The second.
        - type: space
          title: Two
          key: two
          path: two
          content:
            directory: "./two"
    # The end of the list.
# The end.
`;

/** Parts of a site that a test changes. */
interface Draft {
  title: string;
  structure: (Omit<SiteNode, 'children'> & { title: string; children: Draft['structure'] } & Record<string, unknown>)[];
}

function rewritten(before: string, change: (site: Draft) => void): string {
  const { site, problems } = readSiteFile(before);
  expect(problems).toEqual([]);
  const wanted = structuredClone(site) as SiteFile;
  change(wanted as unknown as Draft);
  const text = keepSiteFile({ before, wanted });
  expect(readSiteFile(text)).toMatchObject({ problems: [], site: readSiteFile(writeSiteFile(wanted)).site });
  return text;
}

const node = (site: Draft, ...way: readonly number[]): Draft['structure'][number] => {
  const [first = 0, ...rest] = way;
  const found = site.structure[first];
  if (!found) throw new Error(`there is no node ${first}`);
  return rest.length === 0 ? found : node({ title: '', structure: found.children }, ...rest);
};

describe('a file of a site that is written over another', () => {
  it('is the same where it says the same, and differs by the lines of what has changed', () => {
    expect(rewritten(FILE, () => undefined)).toBe(FILE);
    const one = (change: (site: Draft) => void, from: string, to: string, file = FILE): void => {
      expect(file).toContain(from);
      expect(rewritten(file, change)).toBe(file.replace(from, to));
    };
    const rename = (site: Draft): void => void (node(site, 1, 1).title = 'Second: two');
    one((site) => (site.title = 'Manual'), '"Handbook" #', '"Manual" #');
    one((site) => (node(site, 0).title = 'How to'), "'Guides'", "'How to'");
    one((site) => (node(site, 0, 0).title = 'Begin'), 'title: Start', 'title: Begin');
    one(rename, 'title: Two', 'title: "Second: two"');
    one(
      (site) => (node(site, 1)['icon'] = 'book'),
      '      children:\n        # The',
      '      icon: book\n      children:\n        # The',
    );
    one((site) => (node(site, 1, 1)['hidden'] = true), 'path: two\n', 'path: two\n          hidden: true\n');
    one((site) => (node(site, 1, 1)['content'] = { directory: './2' }), '"./two"', '"./2"');
    one((site) => delete node(site, 1)['description'], '\n\n      description: >-\n        All\n        of it\n', '');
    // Lists without an indent, wide indents, and the line ends of Windows.
    const flat = `site:\n  title: Flat\n  structure:\n  # One.\n  - type: space\n    key: one\n    title: One\n    path: one\n    default: true\n    content:\n      directory: ./one\n`;
    const wide = stringify(readYaml(flat), { indent: 4 }).replace('    title: Flat', '    title: Flat # wide');
    for (const text of [flat, wide, flat.replaceAll('\n', '\r\n'), flat.trimEnd()])
      one((site) => (node(site, 0).title = 'First'), 'title: One', 'title: First', text);
  });

  it('lets comments and the keys of others go with the nodes that come, leave and change their places', () => {
    const [head, guides, reference, tail] = [
      FILE.slice(0, FILE.indexOf('    # Guides.')),
      FILE.slice(FILE.indexOf('    # Guides.'), FILE.indexOf('\n    # Reference.')),
      FILE.slice(FILE.indexOf('    # Reference.'), FILE.indexOf('    # The end of')),
      FILE.slice(FILE.indexOf('    # The end of')),
    ];
    const link = { type: 'external-link', key: 'link', title: 'Link', url: 'https://example.com/', children: [] };
    const written = '    - type: external-link\n      key: link\n      title: Link\n      url: https://example.com/\n';
    expect(rewritten(FILE, (site) => site.structure.push(link as never))).toBe(
      `${head}${guides}\n${reference}\n${written}${tail}`,
    );
    expect(rewritten(FILE, (site) => site.structure.pop())).toBe(`${head}${guides}${tail}`);
    const swapped = rewritten(FILE, (site) => site.structure.reverse());
    expect(swapped).toBe(`${head}${reference}\n${guides}${tail}`);
    expect(rewritten(swapped, (site) => site.structure.reverse())).toBe(FILE);
    const firstGone = rewritten(FILE, (site) => {
      node(site, 1).children.shift();
      node(site, 1, 0)['default'] = true;
    });
    expect(firstGone).not.toContain('# The first.');
    expect(firstGone).toContain('        # The second.\n        - type: space\n          title: Two\n');
    const moved = rewritten(FILE, (site) => node(site, 0).children.push(node(site, 1).children.pop() as never));
    expect(moved.indexOf('# The second.')).toBeLessThan(moved.indexOf('# Reference.'));
    for (const kept of ['version: 1', 'owner: docs', '# flow', '# here', '# The end.', '"./two"'])
      expect(moved).toContain(kept);
  });

  it('is written anew where it has faults, and keeps the meaning of aliases', () => {
    const wanted: SiteFile = { title: 'Manual', structure: [] };
    for (const before of ['a: [', 'site: {}', '', 'site: &site\n  title: Site\nsame: *site\nsite: 1\n'])
      expect(keepSiteFile({ before, wanted })).toBe(writeSiteFile(wanted));
    const named = FILE.replace('title: Two', 'title: &two Two');
    const after = rewritten(named, (site) => (node(site, 1, 1).title = 'Second'));
    expect(after).toContain('title: &two Second');
    const first = FILE.replace('title: One', 'title: &one One').replace('title: Two', 'title: *one');
    expect(rewritten(first, (site) => (node(site, 1, 1).title = 'Second'))).toContain('title: Second');
    rewritten(first, (site) => (node(site, 1, 0).title = 'First'));
    rewritten(first, (site) => {
      node(site, 1).children.shift();
      node(site, 1, 0)['default'] = true;
    });
  });

  it('always says what it shall, over every other one and in every spelling', () => {
    const spelling = fc.record({
      indent: fc.constantFrom(2, 3, 4),
      indentSeq: fc.boolean(),
      defaultStringType: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const, 'QUOTE_SINGLE' as const),
      collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
    });
    fc.assert(
      fc.property(sites, sites, spelling, fc.boolean(), (former, wanted, style, commented) => {
        const text = stringify(readYaml(writeSiteFile(former)), style);
        const before =
          commented && style.collectionStyle === 'any' ? text.replace(/^(\s*)(?=- )/gm, '$1# Note.\n$1') : text;
        fc.pre(readSiteFile(before).site !== undefined);
        expect(readSiteFile(keepSiteFile({ before, wanted })).site).toEqual(wanted);
      }),
      { numRuns: rounds(100) },
    );
  });
});
