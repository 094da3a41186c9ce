import type { ElementContent } from 'hast';
import { h } from 'hastscript';
import { htmlOf } from '../../common/html.js';

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1.5rem}',
  'h1{font-size:1.5rem;line-height:1.25}',
  'code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}',
  'table{border-collapse:collapse;margin:1rem 0}',
  'th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid GrayText}',
  'fieldset{border:1px solid GrayText;border-radius:.5rem;margin:1rem 0}',
  'label{display:block;margin:.5rem 0}',
  'input[type=password],input[type=text]{display:block;box-sizing:border-box;width:100%;padding:.5rem;font:inherit}',
  'button{font:inherit;padding:.5rem 1rem;margin:0 .5rem 0 0}',
  '[role=alert]{padding:.5rem 1rem;border:2px solid}',
  '#token{display:block;padding:1rem;border:1px solid GrayText;border-radius:.5rem;user-select:all}',
].join('');

/** A page beside the API, without active content; texts are escaped by the serializer. */
export function standalonePage(title: string, children: readonly ElementContent[]): string {
  const head = h('head', [
    h('meta', { charset: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'robots', content: 'noindex' }),
    h('title', title),
    h('style', STYLE),
  ]);
  return `<!doctype html>${htmlOf([h('html', { lang: 'en' }, [head, h('body', [h('main', [h('h1', title), ...children])])])])}`;
}

/** The content security policy of such a page: nothing is loaded, nothing runs, and its forms lead to `formAction`. */
export const standalonePagePolicy = (formAction: string): string =>
  `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`;
