import { describe, expect, it } from '@jest/globals';
import { ReadWebPage } from '../src/authoring/interchange/domain/web-page.js';
import { cleanBody } from '../src/insight/conversations/domain/clean-message.js';
import { processorTime } from './complexity/measure.js';

const markdownOf = (html: string): string => new ReadWebPage(html, '').convert((target) => target).markdown;

describe('elements that say nothing', () => {
  it('leave their space, and nothing else', () => {
    expect(markdownOf('<p>one<b> </b>two<i></i>three <span></span>four</p>')).toBe('one twothree four\n');
    expect(markdownOf('<p>one</p><custom-x></custom-x><p>two</p>')).toBe('one\n\ntwo\n');
    expect(cleanBody('<p>one<b> </b>two<i></i>three</p>')).toBe('one twothree');
  });

  it('keep the lines of code', () => {
    expect(markdownOf('<pre><code>a<span>\n</span><span>  </span><span></span>b</code></pre>')).toBe(
      '```\na\n  b\n```\n',
    );
  });

  it('keep what breaks lines, shows something or holds a place', () => {
    expect(
      markdownOf('<p>one<br>two</p><hr><table><tr><th>a</th><th></th></tr><tr><td></td><td>b</td></tr></table>'),
    ).toBe('one\\\ntwo\n\n---\n\n| a |   |\n| - | - |\n|   | b |\n');
    expect(markdownOf('<video><source src="https://a.b/c.mp4"></video>')).toContain('https://a.b/c.mp4');
  });

  it.each(['<link> ', '<b></b> ', '<custom-x></custom-x> ', '<source> ', '<svg>a</svg>\n'])(
    'take time that grows with their number: %s',
    (element) => {
      const begin = processorTime();
      for (const read of [markdownOf, cleanBody]) read(`<p>x</p>${element.repeat(4000)}<p>y</p>`);
      expect(processorTime() - begin).toBeLessThan(5000);
    },
  );
});
