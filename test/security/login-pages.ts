import { expect } from '@jest/globals';
import { newId } from '../../src/kernel/common/ids.js';
import type { Workspace } from '../build.js';
import type { Browser } from './browser.js';

export interface Member {
  id: string;
  role: string | null;
  sso: boolean;
  user: { displayName: string; email: string };
}

/** An address that nobody has. */
export const address = (): string => `${newId().toLowerCase()}@example.com`;

/** The token that the page of a login shows. */
export const tokenIn = (text: string): string => /<code id="token"[^>]*>(\w+)<\/code>/.exec(text)?.[1] ?? '';

/** Why the page of a login says that it did not work. */
export const reasonIn = (text: string): string | undefined => /<p id="reason">([^<]*)/.exec(text)?.[1];

/** What the page of a refused login tells administrators to compare, by its name in the protocol. */
export function comparedIn(text: string): Readonly<Record<string, readonly [expected: string, received: string]>> {
  const rows = [
    ...text.matchAll(
      /<tr><th scope="row">([^<]*)<\/th><td><code>([^<]*)<\/code><\/td><td><code>([^<]*)<\/code><\/td><\/tr>/g,
    ),
  ];
  return Object.fromEntries(rows.map(([, name = '', expected = '', received = '']) => [name, [expected, received]]));
}

/** Where the page of a refused login lets it begin again. */
export const startAgainIn = (text: string): string | undefined => /<a href="([^"]*)">Log in again/.exec(text)?.[1];

export async function memberOf({ id, admin }: Workspace, email: string): Promise<Member | undefined> {
  return (await admin.api.get<{ items: Member[] }>(`/orgs/${id}/members`, { query: { search: email } })).body.items[0];
}

/** Begins a login through a provider of any kind, and gives the address at the identity provider. */
export async function beginLogin(
  { service }: { readonly service: { readonly startURL: string } },
  returnTo: string | undefined,
  by: Browser,
): Promise<string> {
  const answer = await by.open(
    `${service.startURL}${returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`}`,
  );
  expect({ status: answer.status, reason: reasonIn(answer.text) }).toEqual({ status: 302, reason: undefined });
  return answer.location ?? '';
}
