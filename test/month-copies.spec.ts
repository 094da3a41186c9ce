import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { connectTo } from '../src/kernel/common/connection.js';
import { PastEventsJob } from '../src/kernel/platform/retention/past-events.job.js';
import { OrganizationArchives } from '../src/operations/organization-archives/organization-archives.service.js';
import { openArchive } from '../src/operations/organization-archives/archive-source.js';
import { toFile } from '../src/operations/organization-archives/archive-sink.js';
import { TestApp, useApp } from './app.js';
import { BackupDesk } from './backup-desk.js';
import { buildOrganization, type Workspace } from './build.js';
import { auditLines, events, insights, monthsAgo, openPast } from './months.js';
import { sumsOf } from './organization-rows.js';
import type { Made } from './published-site.js';

const app = useApp();
let desk: BackupDesk;
let workspace: Workspace;

const TABLES = ['event', 'audit_event', 'site_insight'] as const;
/** Three months behind the last one lie rows in the DEFAULT partition. */
const AGES = [8, 5, 4, 1, 0, -4];

const sumsIn = (table: string): string =>
  `SELECT count(*)::int AS rows, sum(hashtextextended(to_jsonb(t)::text, 0)) AS sum FROM ${table} t`;

beforeAll(async () => {
  desk = await BackupDesk.open();
  workspace = await buildOrganization(app.current);
  const site = await workspace.admin.api.post<Made>(`/orgs/${workspace.id}/sites`, { title: 'Handbook' });
  const source = app.current.nest.get(DataSource);
  for (const table of TABLES) await openPast({ source }, table, 6);
  for (const { at } of AGES.map(monthsAgo)) {
    await events({ source }, at, 40);
    await auditLines({ source }, at, 50, workspace.id);
    await insights({ source }, at, 60, site.body.id);
  }
});
afterAll(() => desk.close());

describe('rows of several months', () => {
  it('are all in a backup, whose tables lose no month while it is written', async () => {
    const { database } = app.current;
    const expected = await Promise.all(TABLES.map((table) => database.unprepared(sumsIn(table))));
    let removed: number | undefined;
    const target = await desk.target();
    const { manifest } = await desk.create(app.current, target, {
      renderPages: async () => {
        removed = await new PastEventsJob(database, { eventRetentionDays: 60 }).remove();
        return [];
      },
    });
    // Those of no month go one by one, which the backup does not see.
    expect(removed).toBe(40);
    expect(
      manifest.tables.map(({ name }) => name).filter((name) => /^(event|audit_event|site_insight)_\d/.test(name)),
    ).toEqual([]);
    const restored = await connectTo((await desk.restore(target)).url, 'spec');
    const found: unknown[] = [];
    for (const table of TABLES) found.push((await restored.query(sumsIn(table))).rows);
    await restored.end();
    expect(found).toEqual(expected);
  });

  it('are all in the archive of an organization, and in that which is made of it', async () => {
    const other = await TestApp.start();
    try {
      const source = other.nest.get(DataSource);
      for (const table of TABLES) await openPast({ source }, table, 3);
      const path = join(desk.folder, 'organization.tar.gz');
      await toFile(path, (sink) => app.current.get(OrganizationArchives).export(workspace.id, sink));
      await other
        .get(OrganizationArchives)
        .import(await openArchive(path), { ids: 'kept', isTrusted: true, userId: undefined });
      const insightsOf = async (of: TestApp) => (await sumsOf(of.database, workspace.id))['site_insight'];
      expect(await insightsOf(other)).toEqual(await insightsOf(app.current));
      // One more line tells of the import.
      const lines = async (of: TestApp) =>
        of.database.unprepared(
          `${sumsIn('audit_event')} WHERE organization_id = '${workspace.id}' AND action = 'team_created'`,
        );
      expect(await lines(other)).toEqual(await lines(app.current));
      const places = await other.database.unprepared(
        `SELECT tableoid::regclass::text AS name FROM audit_event WHERE action = 'team_created' GROUP BY 1 ORDER BY 1`,
      );
      expect(places).toEqual(
        [monthsAgo(1), monthsAgo(0)]
          .map((month) => month.nameOf('audit_event'))
          .concat('audit_event_default', 'audit_event_earlier')
          .sort()
          .map((name) => ({ name })),
      );
    } finally {
      await other.close();
    }
  });
});
