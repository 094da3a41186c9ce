import type { ElementContent } from 'hast';
import { h } from 'hastscript';
import { standalonePage } from '../../kernel/platform/http/standalone-page.js';
import type { Comparison } from './domain/login-fault.js';
import type { SessionToken } from './login-tokens.service.js';

/** Shows the token of a login, once. */
export function tokenPage({ user, organizationTitle, token, expiresAt }: SessionToken): string {
  const until = h(
    'time',
    { dateTime: expiresAt.toISOString() },
    `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  );
  return standalonePage('You are logged in', [
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
  return standalonePage('You are not logged in', [
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
