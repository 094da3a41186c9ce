import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import {
  brings,
  ContentModule,
  ContentReader,
  COPY_STATEMENTS,
  defineModule,
  Members,
  MEMBERSHIP_END,
  OrganizationsModule,
  REVISION_STATEMENTS,
  Spaces,
  SpacesModule,
  Teams,
  TeamsModule,
  TRANSFER_LEAVE,
  TRANSFER_OBSTACLES,
} from '../src/extension.js';
import { TestApp } from './app.js';
import { buildOrganization } from './build.js';

const ended: string[] = [];
const left: string[] = [];
let obstacle: string | undefined;

const watcher = defineModule({
  name: 'watcher',
  contributes: [
    MEMBERSHIP_END.with(async (_, { userId }) => ended.push(userId)),
    TRANSFER_LEAVE.with(async (_, { spaces }) => left.push(...spaces)),
    TRANSFER_OBSTACLES.with(async () => obstacle),
    REVISION_STATEMENTS.with(
      `INSERT INTO watched SELECT $1, t.kind || ' ' || t.id FROM unnest($2::text[], $3::text[]) AS t (kind, id)`,
    ),
    COPY_STATEMENTS.with(`INSERT INTO watched VALUES ($1, 'copy')`),
  ],
});

@Injectable()
class Watcher {
  constructor(
    readonly members: Members,
    readonly teams: Teams,
    readonly spaces: Spaces,
    readonly content: ContentReader,
  ) {}
}

@Module({
  imports: [OrganizationsModule, TeamsModule, SpacesModule, ContentModule],
  providers: [brings(watcher), Watcher],
})
class WatcherModule {}

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start({}, undefined, [WatcherModule]);
  await app.database.execute('CREATE TABLE watched (space text, what text)');
});
afterAll(() => app.close());

const watched = async (space: string): Promise<unknown[]> =>
  (await app.database.query('SELECT what FROM watched WHERE space = $1', [space])).map(({ what }) => what);

it('lets a module from elsewhere follow content, memberships and transfers, and use services', async () => {
  const [from, to] = [await buildOrganization(app), await buildOrganization(app)];
  const { api } = from.admin;
  const space = (
    await api.post<{ id: string }>(`/orgs/${from.id}/spaces`, { title: 'Docs', empty: true, editMode: 'live' })
  ).body.id;
  const written = await api.post<{ changes: { page: { id: string } }[] }>(`/spaces/${space}/content`, {
    changes: [{ operation: 'insert_page', title: 'Page', document: { markdown: 'Text' } }],
  });
  expect(await watched(space)).toEqual([`page ${written.body.changes[0]?.page.id ?? ''}`]);
  const copy = (await api.post<{ id: string }>(`/spaces/${space}/duplicate`)).body.id;
  expect(await watched(copy)).toEqual(['copy']);
  expect((await app.get(Watcher).spaces.get(from.admin.id, space)).title).toBe('Docs');

  await app.database.execute(
    `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'admin', now())`,
    [to.id, from.admin.id],
  );
  obstacle = 'The watcher says no';
  const refused = await api.post<{ error: { message: string } }>(`/spaces/${space}/transfer`, { organization: to.id });
  expect([refused.status, refused.body.error.message]).toEqual([412, 'The watcher says no']);
  obstacle = undefined;
  expect((await api.post(`/spaces/${space}/transfer`, { organization: to.id })).status).toBeLessThan(300);
  expect(left).toEqual([space]);

  const person = await from.member('edit');
  expect((await api.delete(`/orgs/${from.id}/members/${person.id}`)).status).toBe(204);
  expect(ended).toEqual([person.id]);
});
