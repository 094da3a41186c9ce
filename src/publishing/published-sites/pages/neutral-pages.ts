import { htmlOf } from '../../../kernel/common/html.js';
import type { Answer } from './answers.js';
import { directionOf, languageOf } from '../domain/languages.js';
import type { Words } from '../../../formats/html/languages/language.js';
import { HtmlBody, NONCE_MARK } from './html-body.js';
import { el, type Piece } from './layout/elements.js';
import type { SiteAssets } from './site-assets.js';

/** Says that there is nothing, without saying of what: the same where no site is, and where one is that is not for everybody. */
export function neutralNotFound(assets: SiteAssets): Answer {
  const words = languageOf('en').page;
  return page(assets, 404, words.notFound, [el('p.lead', words.notFoundText)]);
}

/** Says that readers have to sign in, where nobody has said where. */
export function signInNeeded(assets: SiteAssets): Answer {
  const words: Words = languageOf('en').page;
  return page(assets, 401, words.signIn, [el('p.lead', words.signInText)]);
}

export function signedOut(assets: SiteAssets, headers: Answer['headers']): Answer {
  const words: Words = languageOf('en').page;
  return page(assets, 200, words.signedOut, [], headers);
}

/** Says that a reader has asked for too much; `language` is one that they read. */
export function tooManyRequests(assets: SiteAssets, language: string, headers: Answer['headers']): Answer {
  const { page: words } = languageOf(language);
  return page(assets, 429, words.tooMany, [el('p.lead', words.tooManyText)], headers, language);
}

function page(
  assets: SiteAssets,
  status: number,
  title: string,
  content: readonly Piece[],
  headers: Answer['headers'] = {},
  language = 'en',
): Answer {
  const root = el('html', { lang: language, dir: directionOf(language), dataTheme: 'light' }, [
    el('head', [
      el('meta', { charSet: 'utf-8' }, []),
      el('link', { nonce: NONCE_MARK, rel: 'stylesheet', href: assets.address('', 'site.css') }),
      el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      el('meta', { name: 'robots', content: 'noindex' }),
      el('title', title),
    ]),
    el('body.neutral', [el('main#pageContent', [el('h1', title), ...content])]),
  ]);
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
    body: new HtmlBody(`<!doctype html>${htmlOf([root])}`),
  };
}
