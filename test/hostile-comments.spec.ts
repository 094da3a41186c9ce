import { describe, expect, it } from '@jest/globals';
import { deriveDocument } from '../src/formats/document/derive.js';
import { COMMENT_PARSE_LIMITS } from '../src/formats/markdown/parse-limits.js';
import { interpretMarkdown, readMarkdown } from '../src/formats/markdown/parse.js';
import { serializeMarkdown } from '../src/formats/markdown/serialize.js';

/** The longest Markdown of a comment. */
const LONGEST = 20_000;
const filled = (part: string) => part.repeat(Math.floor(LONGEST / part.length));

/** Seconds of the processor that a comment costs: reading it, and writing it as Markdown again. */
function secondsFor(markdown: string): number {
  const begin = process.cpuUsage();
  const source = readMarkdown(markdown, false, COMMENT_PARSE_LIMITS);
  if (source.fault === undefined) {
    const { document } = interpretMarkdown(source);
    deriveDocument(document);
    serializeMarkdown(document);
  }
  return process.cpuUsage(begin).user / 1e6;
}

describe('comments that nobody writes', () => {
  it.each([
    '*a_',
    '**a__',
    '***a_b_',
    '_a*b',
    '*_`a',
    '`a``b',
    '[a](',
    '![',
    '<b>',
    '~a~~',
    '&amp;',
    ':a:',
    '\\*',
    'http://a.b/( ',
    '1. a\n',
    '* a\n',
    '\t- a\n',
    'a\n> ',
    '| a ',
    '{% a %}\n',
  ])('%j, again and again, are read in no time or refused', (part) => {
    // The best of a few: what else the machine does is no matter.
    expect(Math.min(...[1, 2, 3].map(() => secondsFor(filled(part))))).toBeLessThan(0.5);
  });

  it('keep their words where they have too many marks', () => {
    const { document } = interpretMarkdown(readMarkdown(filled('*a_'), false, COMMENT_PARSE_LIMITS));
    expect(deriveDocument(document).text.replace(/[^a]/g, '').length).toBe(filled('*a_').length / 3);
  });

  it('take nothing from long ones that people write', () => {
    const written =
      filled('- See **the guide** for `npm install`, and [this page](https://example.com/a), please\n') +
      '\nThe end.\n';
    const source = readMarkdown(written, false, COMMENT_PARSE_LIMITS);
    expect(source.fault).toBeUndefined();
    expect(serializeMarkdown(interpretMarkdown(source).document).replace(/^\* /gm, '- ')).toBe(written);
  });
});
