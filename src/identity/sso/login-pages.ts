import type { ElementContent } from 'hast';
import { h } from 'hastscript';
import { htmlOf } from '../../kernel/common/html.js';
import type { Comparison } from './domain/login-fault.js';
import type { SessionToken } from './login-tokens.service.js';

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1.5rem}',
  'h1{font-size:1.5rem;line-height:1.25}',
  'code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}',
  'table{border-collapse:collapse;margin:1rem 0}',
  'th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid GrayText}',
  '#token{display:block;padding:1rem;border:1px solid GrayText;border-radius:.5rem;user-select:all}',
].join('');

type Children = readonly ElementContent[];

/** A page beside the API, without active content; texts are escaped by the serializer. */
function page(title: string, children: Children): string {
  const head = h('head', [
    h('meta', { charset: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'robots', content: 'noindex' }),
    h('title', title),
    h('style', STYLE),
  ]);
  return `<!doctype html>${htmlOf([h('html', { lang: 'en' }, [head, h('body', [h('main', [h('h1', title), ...children])])])])}`;
}

/** Shows the token of a login, once. */
export function tokenPage({ user, organizationTitle, token, expiresAt }: SessionToken): string {
  const until = h(
    'time',
    { dateTime: expiresAt.toISOString() },
    `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  );
  return page('You are logged in', [
    h('p', [`This is your API token, ${user.displayName}:`]),
    h('code', { id: 'token', tabIndex: 0 }, token),
    h('p', [
      `It works in ${organizationTitle} only, until `,
      until,
      '. Copy it now: it is not shown again. Programs send it with each request, as ',
      h('code', 'Authorization: Bearer'),
      ' and the token.',
    ]),
  ]);
}

/** The reason why a login failed, and what the person can do. */
interface Refusal {
  readonly reason: string;
  readonly compared: readonly Comparison[];
  /** The address to start again; undefined if that would not help. */
  readonly startAgain: string | undefined;
}

export function refusalPage({ reason, compared, startAgain }: Refusal): string {
  return page('You are not logged in', [
    h('p', { id: 'reason' }, `${reason}.`),
    ...(compared.length > 0 ? [h('p', 'For the administrator:'), comparisons(compared)] : []),
    ...(startAgain === undefined ? [] : [h('p', [h('a', { href: startAgain }, 'Log in again')])]),
  ]);
}

function comparisons(compared: readonly Comparison[]): ElementContent {
  const heads = ['What', 'Expected', 'Received'].map((text) => h('th', { scope: 'col' }, text));
  const rows = compared.map(({ name, expected, received }) =>
    h('tr', [h('th', { scope: 'row' }, name), ...[expected, received].map((text) => h('td', [h('code', text)]))]),
  );
  return h('table', { id: 'compared' }, [h('thead', [h('tr', heads)]), h('tbody', rows)]);
}
