import { h } from 'hastscript';
import { standalonePage } from '../../kernel/platform/http/standalone-page.js';
import { shownRedirect } from './domain/redirect-uri.js';

/** The question to a person: which client wants which scopes, and where the answer goes. */
export interface Consent {
  readonly clientName: string;
  readonly redirectUri: string;
  /** The scopes that the client asks for, with what each opens and whether it is chosen. */
  readonly scopes: readonly { readonly scope: string; readonly about: string; readonly isChosen: boolean }[];
  /** Fields of the request, which the form sends again. */
  readonly request: Readonly<Record<string, string | undefined>>;
  /** The fault of the last answer. */
  readonly fault?: string | undefined;
}

/** The page on which a person lets a client in, or does not. */
export function consentPage({ clientName, redirectUri, scopes, request, fault }: Consent): string {
  const hidden = Object.entries(request).flatMap(([name, value]) =>
    value === undefined ? [] : [h('input', { type: 'hidden', name, value })],
  );
  const choices = scopes.map(({ scope, about, isChosen }) =>
    h('label', [
      h('input', { type: 'checkbox', name: 'grant', value: scope, checked: isChosen }),
      ' ',
      h('code', scope),
      ` ${about}`,
    ]),
  );
  const form = h('form', { method: 'post' }, [
    ...hidden,
    h('fieldset', [h('legend', 'It may'), ...choices]),
    h('label', [
      'Your API token',
      h('input', { type: 'password', name: 'token', autocomplete: 'off', spellcheck: 'false', maxlength: 200 }),
    ]),
    h('label', [
      'Only in the organization with this id (all of yours when empty)',
      h('input', { type: 'text', name: 'organization', autocomplete: 'off', spellcheck: 'false', maxlength: 100 }),
    ]),
    h('button', { type: 'submit', name: 'decision', value: 'allow' }, 'Allow'),
    h('button', { type: 'submit', name: 'decision', value: 'deny' }, 'Refuse'),
  ]);
  return standalonePage(`${clientName} asks for access`, [
    ...(fault === undefined ? [] : [h('p', { role: 'alert' }, fault)]),
    h('p', [
      'The program that calls itself ',
      h('strong', clientName),
      ' wants to act for you as an agent. The answer goes to ',
      h('code', shownRedirect(redirectUri)),
      '.',
    ]),
    h('p', 'Its token is never wider than yours, and what it does is marked with its name. Your token is not stored.'),
    form,
  ]);
}
