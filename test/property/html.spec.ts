import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Document } from '../../src/formats/document/types.js';
import { parseMarkdown } from '../../src/formats/markdown/parse.js';
import { documents } from '../document-arbitrary.js';
import { ReadHtml, rendered as renderedContent, shownWords } from '../rendered-html.js';
import { rounds } from './content-generators.js';

const CORPORA = '../shared/corpora';
const options = {
  numRuns: rounds(20),
  ...(process.env['SEED'] !== undefined && { seed: Number(process.env['SEED']) }),
};

const times: { name: string; milliseconds: number; size: number }[] = [];

afterAll(() => {
  if (times.length === 0) return;
  const sorted = times.toSorted((a, b) => a.milliseconds - b.milliseconds);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)]?.milliseconds ?? 0).toFixed(1);
  const slowest = sorted.at(-1);
  process.stdout.write(
    `html: ${times.length} pages, ${at(0.5)} ms at p50, ${at(0.99)} ms at p99, slowest ${slowest?.name ?? ''} with ${((slowest?.size ?? 0) / 1024).toFixed(0)} KB\n`,
  );
});

async function rendered(document: Document, name?: string): Promise<ReadHtml> {
  const begin = performance.now();
  const { html } = await renderedContent(document);
  if (name !== undefined) times.push({ name, milliseconds: performance.now() - begin, size: html.length });
  return new ReadHtml(html);
}

/** The same document with hostile words in all its strings that say something. */
function poisoned(document: Document, poison: readonly string[]): Document {
  let count = 0;
  const enter = (value: unknown, name: string): unknown => {
    if (typeof value === 'string')
      return /^(text|title|label|alt|caption|url|formula|description|content|path|icon|syntax|code|slug|date|tag|spec)$/.test(
        name,
      )
        ? `${value}${poison[count++ % poison.length] ?? ''}`
        : value;
    if (Array.isArray(value)) return value.map((each) => enter(each, name));
    return typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, enter(each, key)]))
      : value;
  };
  return enter(document, '') as Document;
}

const POISON = [
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '</p></div></pre></code>',
  'javascript:alert(1)',
  '<img src=x onerror=alert(1)>',
  '<!--',
  ']]>',
  '</textarea><svg onload=alert(1)>',
  '&lt;script&gt;',
  '&#106;avascript:',
  '\u2028',
  '<a href="java\tscript:x">',
  '</math><style>',
  '`${x}`',
  '{{x}}',
  '%3Cscript%3E',
  '--> <b',
  '<p><p>',
  '"',
  "'",
  '<',
  '&',
  '\\',
  '</details></summary>',
];

describe('3b-29 documents as HTML', () => {
  it('are well formed, run nothing and say everything', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const read = await rendered(document);
        expect(read.faults()).toEqual([]);
        expect(read.missing(shownWords(document))).toEqual([]);
      }),
      options,
    );
  }, 120_000);

  it('are well formed and run nothing whatever is written in them', async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.shuffledSubarray(POISON, { minLength: 1 }), async (document, poison) => {
        const bad = poisoned(document, poison);
        const read = await rendered(bad);
        expect(read.faults()).toEqual([]);
      }),
      options,
    );
  }, 120_000);
});

(existsSync(CORPORA) ? describe : describe.skip)(
  'real documentation (../shared/corpora, skipped where it is absent)',
  () => {
    const files = existsSync(CORPORA)
      ? readdirSync(CORPORA, { recursive: true, encoding: 'utf8' }).filter(
          (name) => name.endsWith('.md') && !/(^|\/)(node_modules|SUMMARY)/.test(name),
        )
      : [];
    // All of it in the long run, every so many of its pages otherwise.
    const step = Math.max(1, Math.floor(files.length / rounds(6)));

    it('is well formed and complete', async () => {
      const faults: string[] = [];
      for (const name of files.filter((_, index) => index % step === 0)) {
        const { document } = parseMarkdown(readFileSync(join(CORPORA, name), 'utf8'));
        const read = await rendered(document, name);
        faults.push(
          ...read.faults().map((fault) => `${name}: ${fault}`),
          ...read.missing(shownWords(document)).map((words) => `${name}: no ${words}`),
        );
      }
      expect(faults).toEqual([]);
    }, 600_000);
  },
);
