import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/kernel/common/database.js';
import { newId } from '../../src/kernel/common/ids.js';
import { sumsOf } from '../organization-rows.js';
import { type ScratchDatabase, scratchDatabase } from '../scratch-database.js';
import { chanceOf } from './chance.js';
import { pause, Stage } from './processes.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 1);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const SECRET_KEY = 'a-key-for-tests-only-a-key-for-tests-only';
/** Each of them is a process that begins anew. */
const PATIENCE = 240_000;
/** Enough that an import takes some seconds. */
const PAGES = 8000;

const [organization, person, space, revision] = [newId(), newId(), newId(), newId()];

const document = (words: string): string =>
  `'{"data":{},"nodes":[{"data":{},"isVoid":false,"key":"k1","nodes":[{"leaves":[{"marks":[],"object":"leaf","text":"' || ${words} || '"}],"object":"text"}],"object":"block","type":"paragraph"}],"object":"document"}'`;

const ROWS = [
  `INSERT INTO account (id, display_name, email, created_at) VALUES ('${person}', 'Ada', 'ada@example.com', now())`,
  `INSERT INTO organization (id, title, created_at) VALUES ('${organization}', 'Large', now())`,
  `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ('${organization}', '${person}', 'admin', now())`,
  `INSERT INTO space (id, organization_id, title, position, revision_id, sequence, created_by, created_at, updated_at)
   VALUES ('${space}', '${organization}', 'Pages', 'a', '${revision}', 1, '${person}', now(), now())`,
  `INSERT INTO revision (id, space_id, sequence, base_sequence, type, author_id, created_at) VALUES ('${revision}', '${space}', 1, 1, 'edits', '${person}', now())`,
  `INSERT INTO document (space_id, hash, body, words, created_at)
   SELECT '${space}', sha256(convert_to(d.body, 'UTF8')), d.body::json, 1, now() FROM (SELECT ${document('n')} AS body FROM generate_series(1, ${PAGES}) n) d`,
  `INSERT INTO content_item (space_id, line, kind, id, position, type, slug, title, hash, created_at, updated_at)
   SELECT '${space}', '', 'page', 'A' || lpad(n::text, 19, '0'), lpad(n::text, 6, '0'), 'document', 'page-' || n, 'Page ' || n, sha256(convert_to(${document('n')}, 'UTF8')), now(), now()
     FROM generate_series(1, ${PAGES}) n`,
];

describe(`an import of an organization whose command is killed (SEED=${SEED})`, () => {
  const chance = chanceOf(SEED);
  let stage: Stage;
  let from: ScratchDatabase;
  let into: ScratchDatabase;

  beforeAll(async () => {
    [stage, from, into] = await Promise.all([Stage.open(), scratchDatabase(), scratchDatabase()]);
    for (const statement of ROWS) await from.source.query(statement);
  });
  afterAll(async () => {
    await Promise.all([from.drop(), into.drop()]);
    await stage.close();
  });

  it(
    'leaves nothing, and the next one imports all of it',
    async () => {
      const archive = join(stage.folder, 'large.tar.gz');
      const envOf = ({ url }: ScratchDatabase) => ({ env: { DATABASE_URL: url, SECRET_KEY } });
      const written = await stage.run(['org', 'export', organization, archive, '--json'], envOf(from)).ending;
      expect([written.code, written.stdout]).toEqual([0, expect.stringContaining(archive)]);
      const begin = () => stage.run(['org', 'import', archive, '--json'], envOf(into));
      const isStoring = async (): Promise<boolean> => {
        const rows = await into.source.query<unknown[]>(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'bindery organization' AND xact_start IS NOT NULL`,
        );
        return rows.length > 0;
      };
      for (let round = 0; round < ROUNDS; round++) {
        const killed = begin();
        while (!killed.over && !(await isStoring())) await pause(5);
        await pause(chance() * 300);
        await killed.kill('SIGKILL');
        while (await isStoring()) await pause(20);
        const [rows] = await into.source.query<{ count: string }[]>(
          'SELECT (SELECT count(*) FROM organization) + (SELECT count(*) FROM account) + (SELECT count(*) FROM document) AS count',
        );
        if ((await killed.ending).code !== 0) expect(rows?.count).toBe('0');
      }
      const whole = await begin().ending;
      expect([whole.code, whole.stdout]).toEqual([0, expect.stringContaining(organization)]);
      expect(JSON.parse(whole.stdout)).toMatchObject({ organizationId: organization, ids: 'kept' });
      // The import itself is a line of the audit log.
      const sumsIn = async ({ source }: ScratchDatabase) => ({
        ...(await sumsOf(new Database(source), organization)),
        audit_event: undefined,
      });
      const sums: Record<string, unknown> = await sumsIn(into);
      expect(sums).toEqual(await sumsIn(from));
      expect(sums['content_item']).toMatchObject({ count: String(PAGES) });
    },
    PATIENCE,
  );
});
