import { htmlOf } from '../../../kernel/common/html.js';
import type { HttpResponse } from './http-response.js';
import { directionOf, languagePackOf } from '../../../formats/html/languages/language-packs.js';
import type { Words } from '../../../formats/html/languages/language.js';
import { HTML_MEDIA_TYPE, HtmlBody, NONCE_MARK } from './html-body.js';
import { element, type ElementChild } from './layout/elements.js';
import type { SiteAssets } from './site-assets.js';

/** States that nothing exists, without details: the same response for a missing site and for one that is not public. */
export function neutralNotFound(assets: SiteAssets): HttpResponse {
  const words = languagePackOf('en').page;
  return page(assets, 404, words.notFound, [element('p.lead', words.notFoundText)]);
}

/** States that readers have to sign in, if no login address is configured. */
export function signInNeeded(assets: SiteAssets): HttpResponse {
  const words: Words = languagePackOf('en').page;
  return page(assets, 401, words.signIn, [element('p.lead', words.signInText)]);
}

export function signedOut(assets: SiteAssets, headers: HttpResponse['headers']): HttpResponse {
  const words: Words = languagePackOf('en').page;
  return page(assets, 200, words.signedOut, [], headers);
}

/** States that a reader has sent too many requests; `language` is one that they read. */
export function tooManyRequests(assets: SiteAssets, language: string, headers: HttpResponse['headers']): HttpResponse {
  const { page: words } = languagePackOf(language);
  return page(assets, 429, words.tooMany, [element('p.lead', words.tooManyText)], headers, language);
}

/** States that there is no preview for whoever asks: the same for one that never was and for one of somebody else. */
export function noPreview(assets: SiteAssets, language: string): HttpResponse {
  const { page: words } = languagePackOf(language);
  return page(assets, 404, words.previewNone, [element('p.lead', words.previewNoneText)], {}, language);
}

/** States that a change request was merged or archived, and leads back to it. */
export function previewEnded(
  assets: SiteAssets,
  language: string,
  { status, number, app }: { readonly status: string; readonly number: number; readonly app: string },
): HttpResponse {
  const { page: words } = languagePackOf(language);
  const text = status === 'merged' ? words.previewMerged : words.previewArchived;
  const content = [
    element('p.lead', text.replace('{number}', String(number))),
    element('p', [element('a.button.button-primary', { href: app }, words.previewBack)]),
  ];
  return page(assets, 404, words.previewEnded, content, {}, language);
}

function page(
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
