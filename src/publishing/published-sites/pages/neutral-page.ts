import { htmlOf } from '../../../kernel/common/html.js';
import { directionOf } from '../../../formats/html/languages/language-packs.js';
import type { HttpResponse } from './http-response.js';
import { HTML_MEDIA_TYPE, HtmlBody, NONCE_MARK } from './html-body.js';
import { element, type ElementChild } from './layout/elements.js';
import type { SiteAssets } from './site-assets.js';

/** A page of the public listener that belongs to no site. */
export function neutralPage(
  assets: SiteAssets,
  status: number,
  title: string,
  content: readonly ElementChild[],
  headers: HttpResponse['headers'] = {},
  language = 'en',
): HttpResponse {
  const root = element('html', { lang: language, dir: directionOf(language), dataTheme: 'light' }, [
    element('head', [
      element('meta', { charSet: 'utf-8' }, []),
      element('link', { nonce: NONCE_MARK, rel: 'stylesheet', href: assets.address('', 'site.css') }),
      element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      element('meta', { name: 'robots', content: 'noindex' }),
      element('title', title),
    ]),
    element('body.neutral', [element('main#pageContent', [element('h1', title), ...content])]),
  ]);
  return {
    status,
    headers: { 'Content-Type': HTML_MEDIA_TYPE, 'Cache-Control': 'no-store', ...headers },
    body: new HtmlBody(`<!doctype html>${htmlOf([root])}`),
  };
}
