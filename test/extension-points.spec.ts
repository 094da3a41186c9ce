import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, Module } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  brings,
  ContentModule,
  ContentReader,
  COPY_STATEMENTS,
  Database,
  defineModule,
  Members,
  MEMBERSHIP_END,
  OrganizationsModule,
  REVISION_STATEMENTS,
  Spaces,
  SpacesModule,
  Teams,
  TeamsModule,
  TRANSFER_CARRY,
  TRANSFER_LEAVE,
  TRANSFER_OBSTACLES,
} from '../src/extension.js';
import { TestService, type TestOrganization } from '../src/testing.js';
import { scratchDatabase } from './scratch-database.js';

const TABLES = `-- migrate:up
CREATE TABLE bookmark (
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  space_id text COLLATE "C" NOT NULL,
  pinned boolean NOT NULL DEFAULT false
);
CREATE TABLE watched_content (space_id text, what text);
CREATE TABLE shelf (collection_id text COLLATE "C" PRIMARY KEY, organization_id text COLLATE "C" NOT NULL);
-- migrate:down
DROP TABLE shelf;
DROP TABLE watched_content;
DROP TABLE bookmark;
`;

/** Uses services of Bindery. */
@Injectable()
class Bookkeeper {
  constructor(
    readonly members: Members,
    readonly teams: Teams,
    readonly spaces: Spaces,
    readonly content: ContentReader,
  ) {}
}

/** A module from elsewhere with rows for members, spaces and collections. */
function bookmarksModule(migrations: string) {
  const manifest = defineModule({
    name: 'bookmarks',
    requires: '*',
    migrations,
    contributes: [
      MEMBERSHIP_END.with((database, { organizationId, userId }) =>
        database.execute('DELETE FROM bookmark WHERE organization_id = $1 AND user_id = $2', [organizationId, userId]),
      ),
      TRANSFER_OBSTACLES.with(async (database, spaces) =>
        (await database.one('SELECT 1 AS one FROM bookmark WHERE pinned AND space_id = ANY ($1) LIMIT 1', [spaces]))
          ? 'A space has a pinned bookmark'
          : undefined,
      ),
      TRANSFER_LEAVE.with((database, { spaces }) =>
        database.execute('DELETE FROM bookmark WHERE space_id = ANY ($1)', [spaces]),
      ),
      REVISION_STATEMENTS.with(
        `INSERT INTO watched_content SELECT $1, t.kind || ' ' || t.id FROM unnest($2::text[], $3::text[]) AS t (kind, id)`,
      ),
      COPY_STATEMENTS.with(`INSERT INTO watched_content VALUES ($1, 'copy')`),
      TRANSFER_CARRY.with('UPDATE shelf SET organization_id = $1 WHERE collection_id = ANY ($6)'),
    ],
  });
  @Module({
    imports: [OrganizationsModule, TeamsModule, SpacesModule, ContentModule],
    providers: [brings(manifest), Bookkeeper],
  })
  class Bookmarks {}
  return Bookmarks;
}

describe('a module from elsewhere', () => {
  let folder: string;
  let scratch: Awaited<ReturnType<typeof scratchDatabase>>;
  let service: TestService;
  let organization: TestOrganization;
  let space: string;
  let collection: string;

  const database = () => service.get(Database);
  const made = async (path: string, body: object) =>
    (await organization.admin.post<{ id: string }>(path, body)).body.id;
  const bookmark = (user: string | undefined, pinned = false) =>
    database().execute('INSERT INTO bookmark VALUES ($1, $2, $3, $4)', [organization.id, user, space, pinned]);
  const bookmarks = () => database().query('SELECT user_id AS "user" FROM bookmark WHERE space_id = $1', [space]);

  /** Another organization in which the administrator may make things. */
  async function target(): Promise<string> {
    const { id } = await service.organization();
    await database().transaction(() => service.get(Members).admit(id, organization.admin.id ?? '', 'admin'));
    return id;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-points-'));
    await writeFile(join(folder, '1796000000000-bookmarks.sql'), TABLES);
    scratch = await scratchDatabase();
    service = await TestService.start({ modules: [bookmarksModule(folder)], databaseUrl: scratch.url });
  });
  afterAll(async () => {
    await service.close();
    await scratch.drop();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    organization = await service.organization();
    collection = await made(`/orgs/${organization.id}/collections`, { title: 'Manuals' });
    space = await made(`/orgs/${organization.id}/spaces`, {
      title: 'Handbook',
      empty: true,
      parent: collection,
      editMode: 'live',
    });
  });

  it('follows revisions and copies of content', async () => {
    const watched = async (id: string) =>
      (await database().query<{ what: string }>('SELECT what FROM watched_content WHERE space_id = $1', [id])).map(
        ({ what }) => what,
      );
    const { body } = await organization.admin.post<{ changes: { page: { id: string } }[] }>(
      `/spaces/${space}/content`,
      {
        changes: [{ operation: 'insert_page', title: 'Page', document: { markdown: 'Text' } }],
      },
    );
    expect(await watched(space)).toEqual([`page ${body.changes[0]?.page.id ?? ''}`]);
    expect(await watched(await made(`/spaces/${space}/duplicate`, {}))).toEqual(['copy']);
  });

  it('uses services of Bindery', async () => {
    const { spaces } = service.get(Bookkeeper);
    expect((await spaces.get(organization.admin.id ?? '', space)).title).toBe('Handbook');
  });

  it('removes its rows of a member whose membership ends', async () => {
    const [leaver, stayer] = [await organization.member('read'), await organization.member('read')];
    await bookmark(leaver.id);
    await bookmark(stayer.id);
    const { status } = await organization.admin.delete(`/orgs/${organization.id}/members/${leaver.id}`);
    expect(status).toBe(204);
    expect(await bookmarks()).toEqual([{ user: stayer.id }]);
  });

  it('refuses the transfer of its spaces with a reason', async () => {
    await bookmark(organization.admin.id, true);
    const answer = await organization.admin.post(`/spaces/${space}/transfer`, { organization: await target() });
    expect(answer).toMatchObject({ status: 412, body: { error: { message: 'A space has a pinned bookmark' } } });
    expect(await bookmarks()).toHaveLength(1);
  });

  it('leaves rows of spaces behind at a transfer, and takes those of collections along', async () => {
    await bookmark(organization.admin.id);
    await database().execute('INSERT INTO shelf VALUES ($1, $2)', [collection, organization.id]);
    const to = await target();
    const answer = await organization.admin.post(`/collections/${collection}/transfer`, { organization: to });
    expect(answer.status).toBe(200);
    expect(await bookmarks()).toEqual([]);
    expect(
      await database().query('SELECT organization_id AS id FROM shelf WHERE collection_id = $1', [collection]),
    ).toEqual([{ id: to }]);
  });
});
