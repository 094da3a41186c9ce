import { expect } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import type { AccessLevel } from '../src/kernel/common/roles.js';
import type { TestApp } from './app.js';
import { buildOrganization, type Person } from './build.js';
import { write, type List } from './discussion.js';

/** A notification as specs look at it. */
export interface Shown {
  object: string;
  id: string;
  kind: string;
  read: boolean;
  at: string;
  actor?: { id: string; email?: string };
  organization: { id: string; title: string };
  space?: { id: string; title: string };
  site?: { id: string; title: string };
  text: string;
  changeRequest?: { id: string; number: number; subject: string };
  page?: { id: string; title: string };
  comment?: string;
  reply?: string;
  excerpt?: string;
  review?: string;
  importRun?: string;
  translation?: string;
  outcome?: string;
  urls: { app: string };
}
export type Notified = List<Shown> & { unread: number };

/** Does all that is due in the background, and what waits for a few seconds. */
export async function settle(app: TestApp): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await app.get(OutboxRelay).drain();
    await app.database.execute(
      `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE name LIKE 'notifications.%' AND state < 'active'`,
    );
    await app.get(Jobs).drain();
  }
}

export async function inbox(
  person: Person,
  query: Record<string, string | number | boolean | string[]> = {},
): Promise<Notified> {
  const { status, body } = await person.api.get<Notified>('/user/notifications', { query });
  expect([status, body]).toEqual([200, body]);
  return body;
}

export async function kinds(person: Person): Promise<string[]> {
  return (await inbox(person)).items.map(({ kind }) => kind);
}

/** A space with a page and a change request of an author. */
export async function desk(app: TestApp, role: AccessLevel = 'edit') {
  const org = await buildOrganization(app);
  const author = await org.member(role);
  const { body } = await org.admin.api.post<{ id: string }>(`/orgs/${org.id}/spaces`, {
    title: 'Docs',
    empty: true,
    editMode: 'live',
  });
  const space = `/spaces/${body.id}`;
  const [page = ''] = await write(org.admin, space, {
    operation: 'insert_page',
    title: 'Guide',
    document: { markdown: 'First\n\nSecond' },
  });
  const made = await author.api.post<{ id: string; number: number }>(`${space}/change-requests`, {
    subject: 'Proposal',
  });
  await settle(app);
  const request = `${space}/change-requests/${made.body.id}`;
  return { org, author, id: body.id, space, page, request, requestId: made.body.id, number: made.body.number };
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 15_000; !(await condition());) {
    if (Date.now() > end) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
