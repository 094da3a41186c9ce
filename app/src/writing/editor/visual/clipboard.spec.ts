import { describe, expect, it } from '@jest/globals';
import { htmlInMarkdown } from './clipboard.js';

describe('HTML of a clipboard within Markdown', () => {
  it.each([
    ['<div>\n\n        Some text\n \n</div>', '<div>\n        Some text\n</div>'],
    ['\r\n\r\n<p>one</p>\r\n\r\n\r\n<p>two</p>', '\n<p>one</p>\n<p>two</p>'],
    [
      '<p>a</p>\n\n<PRE class="x">b\n\n\n  c\n\n</PRE>\n\n<p>d</p>\n\n',
      '<p>a</p>\n<PRE class="x">b\n\n\n  c\n\n</PRE>\n<p>d</p>\n',
    ],
    ['<p>no</p><predicate>\n\n</predicate>', '<p>no</p><predicate>\n</predicate>'],
  ])('has blank lines in preformatted text only: %j', (html, expected) => {
    expect(htmlInMarkdown(html)).toBe(`<!--StartFragment-->${expected}`);
  });

  it('is read in a time that grows with its length', () => {
    const html = `${'<pre>\n\n'.repeat(50_000)}${'\n \n'.repeat(50_000)}`;
    const start = performance.now();
    htmlInMarkdown(html);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
