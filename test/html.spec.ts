import { describe, expect, it } from '@jest/globals';
import { document, paragraph, plain } from '../src/content/domain/document/build.js';
import { renderContent } from '../src/publishing/html/render.js';
import { everyConstruct } from './every-construct.js';

const S = {
  link: (ref: { kind: string }) => ref.kind === 'url' ? { href: (ref as unknown as {url:string}).url, isExternal: true } : { href: `/${ref.kind}`, title: `Title of ${ref.kind}` },
  image: () => ({ src: '/img.png', width: 100, height: 50 }),
  file: () => ({ href: '/f.pdf', name: 'f.pdf', size: 12345 }),
  reusable: () => document([paragraph(plain('reused'))]),
  externalTarget: 'blank', iconStyle: 'regular',
} as const;

describe('a document as HTML', () => {
  it('shows every construct', async () => {
    const { html, outline } = await renderContent(everyConstruct({ file: 'f', page: 'p', space: 's', collection: 'c', user: 'u', reusableContent: 'r' }), S);
    expect(html).not.toContain('style=');
    expect(html).toContain('The words of a cell');
    expect(outline.map(({ id }) => id)).toEqual(['one', 'two', 'three']);
  });
});
