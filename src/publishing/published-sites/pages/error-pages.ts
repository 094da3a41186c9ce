import type { HttpResponse } from './http-response.js';
import { languagePackOf } from '../../../formats/html/languages/language-packs.js';
import type { Words } from '../../../formats/html/languages/language.js';
import { element } from './layout/elements.js';
import { neutralPage } from './neutral-page.js';
import type { SiteAssets } from './site-assets.js';

/** States that nothing exists, without details: the same response for a missing site and for one that is not public. */
export function neutralNotFound(assets: SiteAssets): HttpResponse {
  const words = languagePackOf('en').page;
  return neutralPage(assets, 404, words.notFound, [element('p.lead', words.notFoundText)]);
}

/** States that readers have to sign in, if no login address is configured. */
export function signInNeeded(assets: SiteAssets): HttpResponse {
  const words: Words = languagePackOf('en').page;
  return neutralPage(assets, 401, words.signIn, [element('p.lead', words.signInText)]);
}

export function signedOut(assets: SiteAssets, headers: HttpResponse['headers']): HttpResponse {
  const words: Words = languagePackOf('en').page;
  return neutralPage(assets, 200, words.signedOut, [], headers);
}

/** States that a site is limited to addresses of which the reader's is none. */
export function addressRefused(assets: SiteAssets): HttpResponse {
  return neutralPage(assets, 403, 'Not open to your network', [
    element('p.lead', 'This site can only be read from some networks, and yours is none of them.'),
  ]);
}

/** States that a reader has sent too many requests; `language` is one that they read. */
export function tooManyRequests(assets: SiteAssets, language: string, headers: HttpResponse['headers']): HttpResponse {
  const { page: words } = languagePackOf(language);
  return neutralPage(assets, 429, words.tooMany, [element('p.lead', words.tooManyText)], headers, language);
}

/** States that there is no preview for whoever asks: the same for one that never was and for one of somebody else. */
export function noPreview(assets: SiteAssets, language: string): HttpResponse {
  const { page: words } = languagePackOf(language);
  return neutralPage(assets, 404, words.previewNone, [element('p.lead', words.previewNoneText)], {}, language);
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
  return neutralPage(assets, 404, words.previewEnded, content, {}, language);
}
