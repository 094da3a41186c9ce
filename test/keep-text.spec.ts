import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rendererFor, writePage } from '../src/authoring/interchange/domain/export.js';
import { keepText, type KeptText } from '../src/authoring/interchange/domain/keep-text.js';
import { keepTags } from '../src/authoring/interchange/domain/keep-tags.js';
import { keepSummary } from '../src/authoring/interchange/domain/keep-summary.js';
import { parsedDocument, readPlannedDocument } from '../src/authoring/interchange/domain/plan-pages.js';
import { contentJson } from '../src/formats/document/hash.js';
import { block, document, plain } from '../src/formats/document/build.js';
import { parseReferenceUri, referenceUri } from '../src/formats/markdown/references.js';
import { mergeText } from '../src/formats/markdown/merge-text.js';
import type { MarkdownStyle } from '../src/formats/markdown/source-style.js';
import { rounds } from './property/content-generators.js';

const PATH = 'page.md';
const NO_PATHS: ReadonlyMap<string, string> = new Map();
const find = (targets: readonly string[]) => targets.map(() => ({ local: false }));
const read = (text: string) => readPlannedDocument({ path: PATH, page: { title: 'Title', hidden: false }, text }, find);

/** Blocks as people write them; each has the word `old`. */
const BLOCKS = [
  'One old *word* in\ntwo lines - and __more__.',
  '+ old\n+ list\n    + inside',
  '- [ ] an old task\n- [x] done',
  'An old heading\n--------------',
  '## Another old one ##',
  '~~~js\nrun(old)\n~~~',
  '|a|old|\n|-|:-:|\n| 1 |  2|',
  '> quoted\nold lazily',
  '{% hint style="info" %}\nAn   *old* hint.\n\n1) first\n2) second\n{% endhint %}',
  '<details>\n\n<summary>An old one</summary>\n\nInside.\n\n</details>',
  'An old link [there][ref].\n\n[ref]: https://example.com/there',
  'An old note[^n].\n\n[^n]: It says *more*.',
  '<p align="center">old</p>',
  '***',
];

const pages = fc.record({
  head: fc.constantFrom('', "---\n# Ours\nicon: 'book'   # a comment\nowner: Mira\n---\n\n"),
  title: fc.constantFrom('# Title\n', '# Title\n\n', 'Title\n=====\n\n', ''),
  blocks: fc.uniqueArray(fc.nat(BLOCKS.length - 1), { minLength: 1, maxLength: 8 }),
  gap: fc.constantFrom('\n\n', '\n\n\n', '\n  \n'),
  end: fc.constantFrom('', '\n', '\n\n'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\uFEFF'),
});

type Page = typeof pages extends fc.Arbitrary<infer T> ? T : never;

function sourceOf({ head, title, blocks, gap, end, lineEnd, mark }: Page, changed?: number): string {
  const texts = blocks.map((block, index) => {
    const text = BLOCKS[block] ?? '';
    return index === changed ? text.replace('old', 'new') : text;
  });
  return mark + `${head}${title}${texts.join(gap)}${end}`.replace(/\n/g, lineEnd);
}

/** Writes what `wanted` means over `before`. */
async function written(before: string, wanted: string): Promise<KeptText> {
  const { json, attributes } = await read(wanted);
  const [content, render] = [parsedDocument(json), rendererFor(PATH, NO_PATHS)];
  const page = { id: 'p', parent: undefined, type: 'document' as const, title: 'Title', attributes };
  const write = (style: MarkdownStyle) => writePage(page, content, PATH, NO_PATHS, style);
  const place = { path: PATH, page: { title: 'Title', hidden: false } };
  return keepText(
    {
      place,
      before,
      wanted: { document: content, title: 'Title', attributes },
      write,
      implied: {},
      render,
      isThere: () => true,
    },
    find,
  );
}

describe('a page that is written over its source', () => {
  it('has the same bytes where nothing has changed', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async (page) => {
        const before = sourceOf(page);
        expect(await written(before, before)).toEqual({ text: before, unchanged: true });
      }),
      { numRuns: rounds(60) },
    );
  });

  it('differs in one line where one word has changed', async () => {
    await fc.assert(
      fc.asyncProperty(pages, fc.nat(), async (page, choice) => {
        const changed = choice % page.blocks.length;
        // Documents do not hold the labels of footnotes, so these are numbered where their paragraph changes.
        fc.pre(!BLOCKS[page.blocks[changed] ?? 0]?.includes('[^n]'));
        const [before, wanted] = [sourceOf(page), sourceOf(page, changed)];
        const { text } = await written(before, wanted);
        const place = wanted.split('\n').findIndex((line, index) => line !== before.split('\n')[index]);
        const others = (source: string): string[] => source.split('\n').toSpliced(Math.max(0, place), 1);
        expect(others(text)).toEqual(others(before));
        expect(text.split('\n')[place]?.replace(/\W/g, '')).toBe(wanted.split('\n')[place]?.replace(/\W/g, ''));
      }),
      { numRuns: rounds(60) },
    );
  });

  it('means what it shall mean, whatever has changed', async () => {
    await fc.assert(
      fc.asyncProperty(pages, pages, async (some, others) => {
        const wanted = sourceOf({ ...others, head: some.head });
        const { text } = await written(sourceOf(some), wanted);
        const meaning = async (source: string) => {
          const { json, attributes } = await read(source);
          return [contentJson(parsedDocument(json)), attributes];
        };
        expect(await meaning(text)).toEqual(await meaning(wanted));
      }),
      { numRuns: rounds(60) },
    );
  });

  it('takes new blocks in the style of the file, beside those that are there', async () => {
    const before = '# Title\n\n- *a*\n- b\n\nTight\n\n---\n\nEnd';
    expect((await written(before, before.replace('- b', '- b\n- *c*').replace('End', 'New\n\n---\n\nEnd'))).text).toBe(
      '# Title\n\n- *a*\n- b\n- *c*\n\nTight\n\n---\n\nNew\n\n---\n\nEnd',
    );
  });

  it('wraps new paragraphs as those of the file, and no others', async () => {
    const wrapped = [
      'The kiln is heated slowly, for two hours, and opened',
      'once the snake_case of a day has passed, which is not',
      'what everybody does with a kiln of this size. Nobody',
      'knows why.',
    ].join('\n');
    const added = 'Glaze it again where the first_coat has gone, and wait for another day before you touch anything.';
    const before = `Title\n=====\n\n${wrapped}\n\nEnd.\n`;
    const wanted = before.replace('slowly', 'very slowly indeed').replace('End.', `${added}\n\nEnd.`);
    expect((await written(before, wanted)).text).toBe(
      before
        .replace('slowly', 'very slowly indeed')
        .replace(
          'End.',
          'Glaze it again where the first_coat has gone, and\nwait for another day before you touch anything.\n\nEnd.',
        ),
    );
  });

  it('is written in the usual style where its own would say something else', async () => {
    const place = { path: PATH, page: { title: 'Title', hidden: false } };
    const { json, attributes } = await read('# Title\n\nNew\n');
    const content = parsedDocument(json);
    const write = ({ bullet }: MarkdownStyle) => (bullet === '-' ? '# Title\n\nOther\n' : '# Title\n\nNew\n');
    const file = { place, before: '# Title\n\n- a\n', wanted: { document: content, title: 'Title', attributes } };
    const render = rendererFor(PATH, NO_PATHS);
    expect((await keepText({ ...file, write, implied: {}, render, isThere: () => true }, find)).text).toBe(
      '# Title\n\nNew\n',
    );
  });
});

describe('a page whose links lead to a page that has been deleted', () => {
  const link = (page: string) => ({
    object: 'inline' as const,
    type: 'link' as const,
    isVoid: false,
    data: { ref: { kind: 'page' as const, page } },
    nodes: [plain('old')],
  });
  /** Writes a page with two paragraphs, of which the second has links to pages by id. */
  const keep = (before: string, first: string, pages: readonly string[], paths: ReadonlyMap<string, string>) => {
    const links = pages.map(link);
    const content = document([block('paragraph', {}, [plain(first)]), block('paragraph', {}, links)]);
    const render = rendererFor(PATH, paths);
    const page = { id: 'p', parent: undefined, type: 'document' as const, title: 'Title' };
    return keepText(
      {
        place: { path: PATH, page: { title: 'Title', hidden: false } },
        before,
        wanted: { document: content, title: 'Title', attributes: {} },
        write: (style) => writePage(page, content, PATH, paths, style),
        implied: {},
        render,
        isThere: (id) => paths.has(id),
      },
      (targets) =>
        targets.map((target) => {
          const own = parseReferenceUri(target);
          const id = [...paths].find(([, path]) => path === target)?.[0];
          return own
            ? { ref: own, local: false }
            : id === undefined
              ? { local: true }
              : { ref: link(id).data.ref, local: true };
        }),
    );
  };
  const BEFORE = '# Title\n\nFirst words\n\n[old](./gone.md)\n';

  it('keeps these links as written, with the bytes of the file or of their block', async () => {
    expect(await keep(BEFORE, 'First words', ['gone'], NO_PATHS)).toEqual({ text: BEFORE, unchanged: true });
    const changed = BEFORE.replace('First', 'Other');
    expect((await keep(BEFORE, 'Other words', ['gone'], NO_PATHS)).text).toBe(changed);
  });

  it('writes a link to a page that is there', async () => {
    const paths = new Map([['there', 'there.md']]);
    expect((await keep(BEFORE, 'First words', ['there'], paths)).text).toBe(BEFORE.replace('./gone.md', 'there.md'));
    const alive = BEFORE.replace('./gone.md', 'there.md');
    expect((await keep(alive, 'First words', ['gone'], paths)).text).toContain(referenceUri(link('gone').data.ref));
  });
});

describe('a table of contents that is written over another', () => {
  const keep = (before: string, after: string) =>
    keepSummary({ before, after, summary: 'SUMMARY.md', markdown: ['a.md', 'b/README.md', 'c.md'] });

  it('keeps the lines of the same entries, however they are written', () => {
    const before = '<!-- Ours -->\n- [A](./a.md)\n    - [B](b/)\n\n## Group\n- [C](C.md "See")\n';
    const same = '# Table of contents\n\n* [A](a.md)\n  * [B](b/README.md)\n\n## Group\n\n* [C](c.md "See")\n';
    expect(keep(before, same)).toBe(before);
    expect(keep(before, same.replace('[B]', '[Bee]'))).toBe(before.replace('[B]', '[Bee]'));
    expect(keep(before, same.replace('\n  * [B](b/README.md)', ''))).toBe(before.replace('    - [B](b/)\n', ''));
    const deeper = same.replace('(b/README.md)', '(b/README.md)\n    * [New](https://example.com)');
    expect(keep(before, deeper)).toBe(before.replace('(b/)', '(b/)\n        - [New](https://example.com)'));
  });
});

describe('a file of tags that is written over another', () => {
  const before = '# Ours\n- tag: New\n  label: "New" # first\n\n- {tag: beta, icon: flask}\n';
  const after = '- tag: beta\n  label: beta\n  icon: flask\n- tag: new\n  label: New\n';

  it('keeps order, comments and spelling of what has not changed', () => {
    expect(keepTags({ before, after })).toBe(before);
    expect(keepTags({ before, after: after.replace('flask', 'star') })).toContain(
      '# Ours\n- tag: New\n  label: "New" # first\n',
    );
    expect(keepTags({ before, after: `${after}- tag: third\n  label: Third\n` })).toBe(
      `${before}- tag: third\n  label: Third\n`,
    );
    expect(keepTags({ before, after: '- tag: new\n  label: New\n' })).toBe(
      '# Ours\n- tag: New\n  label: "New" # first\n\n',
    );
  });

  it('stays where it defines none, and goes with the last of its tags', () => {
    expect(keepTags({ before, after: undefined })).toBeUndefined();
    for (const text of ['[]\n', 'a: [', 'a: 1\n']) expect(keepTags({ before: text, after: undefined })).toBe(text);
    expect(keepTags({ before: 'a: 1\n', after })).toBe(after);
  });
});

describe('a change that is repeated in another spelling', () => {
  it('keeps the spelling of everything else', () => {
    expect(mergeText('* a _b_ c\n* d\n', '* a _b_ x\n* d\n', '-  a *b* c\n-  d\n')).toBe('-  a *b* x\n-  d\n');
    expect(mergeText('a b\n', 'a b\n', 'a\nb\n')).toBe('a\nb\n');
    expect(mergeText('a b c\n', 'a c\n', 'a\nb\nc\n').split(/\s+/)).toEqual(['a', 'c', '']);
  });
});
