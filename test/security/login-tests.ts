import { expect } from '@jest/globals';
import type { TestApp } from '../app.js';
import type { Person, Workspace } from '../build.js';
import { Browser } from './browser.js';

export interface LoginTest {
  id: string;
  status: 'begun' | 'passed' | 'failed';
  expiresAt: string;
  fault?: { message: string; compared: { name: string; expected: string; received: string }[] };
  assertion?: { subject: string; attributes: { name: string; values: string[] }[]; missing: string[] };
  account?: { account: string; user?: string; displayName: string; role: string | null; teams: { title: string }[] };
  urls: { location: string; login?: string };
}

interface Tested {
  readonly id: string;
  readonly urls: { readonly location: string };
}

/** The tests of a provider of any protocol. */
export const testsOf = ({ urls }: Tested): string => `${new URL(urls.location).pathname.replace(/^\/v1/, '')}/tests`;

/** A test as a person begins it, with the browser that has its cookie. */
export async function beginTest(workspace: Workspace, provider: Tested, by: Person = workspace.admin) {
  const browser = new Browser();
  const made = await by.api.post<LoginTest>(testsOf(provider));
  expect(made.status).toBe(201);
  for (const each of made.headers.getSetCookie()) {
    const [name = '', value = ''] = (each.split(';', 1)[0] ?? '').split('=');
    browser.cookies.set(name, value);
  }
  return { browser, test: made.body, location: made.headers.get('location') };
}

/** Everything that a login would change. */
export async function countedLogins(app: TestApp): Promise<unknown> {
  const tables = [
    'account',
    'member',
    'api_token',
    'browser_session',
    'login_token',
    'login_request',
    'invitation',
    'team_member',
    'event',
  ];
  const columns = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  return app.database.query(
    `SELECT ${columns.join(', ')}, (SELECT array_agg(status ORDER BY id) FROM identity_provider) AS statuses`,
  );
}
