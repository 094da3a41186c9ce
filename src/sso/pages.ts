import type { ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';
import type { LoginToken } from './login-tokens.service.js';

const STYLE = 'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{display:block;padding:1rem;border:1px solid;overflow-wrap:anywhere;user-select:all}';

type Children = readonly ElementContent[];

/** A page of our own beside the API, without anything that runs; texts are escaped by the serializer. */
function page(title: string, children: Children): string {
  const head = h('head', [
    h('meta', { charset: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'robots', content: 'noindex' }),
    h('title', title),
    h('style', STYLE),
  ]);
  return `<!doctype html>${toHtml(h('html', { lang: 'en' }, [head, h('body', [h('main', [h('h1', title), ...children])])]))}`;
}

/** Shows the token of a login, once. */
export function tokenPage({ user, token, expiresAt }: LoginToken): string {
  return page('You are logged in', [
    h('p', [`This is your API token, ${user.displayName}. It is shown here only, acts in this organization only, and works until `, h('time', { dateTime: expiresAt.toISOString() }, `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`), '.']),
    h('code', { id: 'token' }, token),
  ]);
}

/** Says why a login did not work. */
export function refusalPage(reason: string): string {
  return page('You are not logged in', [h('p', { id: 'reason' }, `${reason}.`)]);
}
