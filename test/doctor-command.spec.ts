import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeSchema } from '../src/cli/schema.js';
import { connectTo, type DatabaseConnection } from '../src/kernel/common/connection.js';
import { certificateFinding } from '../src/kernel/platform/health-checks/own-addresses.js';
import type { Diagnosis } from '../src/operations/doctor/doctor.service.js';
import { schemaFindings } from '../src/operations/doctor/schema-checks.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { HAS_POOLER, Pooler } from './cluster/pooler.js';
import { type Ending, Stage } from './faults/processes.js';
import { MailServer } from './mail-server.js';
import { buildSpace, type Space } from './published-site.js';
import { scratchDatabase } from './scratch-database.js';
import { makeIdentity } from './security/saml/certificates.js';

const KEY = 'only-for-tests-only-for-tests-only-for-tests';

interface Report {
  readonly findings: readonly Diagnosis[];
  readonly faults: number;
  readonly warnings: number;
  readonly mended: number;
}

const app = useApp();
let stage: Stage;
let workspace: Workspace;
let space: Space;

/** Runs a command beside the server. */
const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ending> =>
  stage.finish(words, {
    env: {
      DATABASE_URL: app.current.databaseUrl,
      DATA_DIR: app.current.config.dataDir,
      SECRET_KEY: KEY,
      SEARCH_VECTORS: 'none',
      LOG_LEVEL: 'error',
      ...env,
    },
  });

async function examine(
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; report: Report; text: string }> {
  const { code, stdout, stderr } = await run(['doctor', '--json', ...options], env);
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toHaveLength(2);
  return { code, report: JSON.parse(stdout) as Report, text: stdout };
}

/** PostgreSQL of tests is fast and not durable, which the doctor tells. */
const OF_TESTS =
  /^The setting (fsync|full_page_writes) of PostgreSQL is off: a crash of the machine can destroy the database$/;

const bad = ({ findings }: Report): string[] =>
  findings
    .filter(({ level, message }) => level !== 'ok' && !OF_TESTS.test(message))
    .map(({ level, check, message }) => `${level} ${check}: ${message}`);

beforeAll(async () => {
  stage = await Stage.open();
  workspace = await buildOrganization(app.current);
  space = await buildSpace(workspace, 'Pottery');
  await space.write({ operation: 'insert_page', title: 'Clay', document: { markdown: 'Clay is dug.' } });
}, 120_000);
afterAll(() => stage.close());

describe('the doctor', () => {
  it('looks at everything beside a server that works, and holds nobody up', async () => {
    let isOver = false;
    let slowest = 0;
    const writing = (async () => {
      for (let at = 0; !isOver; at++) {
        const before = performance.now();
        await space.write({
          operation: 'insert_page',
          title: `Page ${at}`,
          document: { markdown: 'Written meanwhile.' },
        });
        slowest = Math.max(slowest, performance.now() - before);
      }
    })();
    const { code, report, text } = await examine(['--all']);
    isOver = true;
    await writing;
    expect([code, bad(report)]).toEqual([0, []]);
    expect([...new Set(report.findings.map(({ group }) => group))]).toEqual([
      'settings',
      'database',
      'migrations',
      'indexes',
      'storage',
      'secrets',
      'clocks',
      'mail',
      'hosts',
      'certificates',
      'queues',
      'invariants',
    ]);
    expect(slowest).toBeLessThan(5000);
    expect(text).not.toContain(KEY);
  });

  it('tells of a database that cannot be used, of missing and of unknown migrations, and stops there', async () => {
    const database = await scratchDatabase();
    const other = { DATABASE_URL: database.url, DATABASE_DIRECT_URL: app.current.databaseUrl };
    await database.source.query(`DELETE FROM migration WHERE name LIKE 'Publishing%'`);
    await database.source.query(`INSERT INTO migration ("timestamp", name) VALUES (1, 'OfTomorrow9999999999999')`);
    const [{ code, report }, gone] = await Promise.all([
      examine([], other),
      run(['doctor'], { DATABASE_URL: 'postgres://somebody:hush-hush-hush@127.0.0.1:1/nothing' }),
    ]);
    expect([code, bad(report)]).toEqual([
      1,
      [
        'fault direct-address: DATABASE_DIRECT_URL leads to another database than DATABASE_URL',
        expect.stringMatching(/^fault migrations: The database lacks \d+ of \d+ migrations/),
        expect.stringMatching(/^fault migrations: Migrations that this release does not know, .*: 1$/),
      ],
    ]);
    await database.drop();
    expect([gone.code, gone.stderr]).toEqual([1, '']);
    expect(gone.stdout).toMatch(
      /^Settings\n {2}ok {7}The settings are valid\nDatabase\n {2}fault {4}The database nothing at 127\.0\.0\.1:1 cannot be reached/,
    );
    expect(gone.stdout).toMatch(/\n1 fault, 0 warnings, 0 mended, 1 in order\.\n$/);
    expect(gone.stdout).not.toContain('hush-hush');
  });

  (HAS_POOLER ? it : it.skip)('looks through a pooler, and at the address past it', async () => {
    const pooler = await Pooler.before(app.current.databaseUrl, { default_pool_size: 5 });
    try {
      const { code, report } = await examine(['--mend'], {
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: app.current.databaseUrl,
      });
      expect([code, bad(report)]).toEqual([0, []]);
      expect(report.findings.map(({ message }) => message)).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^The database is reached through a pooler; statements are (not )?prepared behind it$/),
          'DATABASE_DIRECT_URL leads to the database, past the pooler',
        ]),
      );
    } finally {
      await pooler.close();
    }
  });

  it('looks at an embedded database that no server uses', async () => {
    const { code, stdout } = await stage.finish(['doctor', '--json']);
    expect([code, bad(JSON.parse(stdout) as Report)]).toEqual([
      1,
      [expect.stringMatching(/^fault migrations: The database lacks/)],
    ]);
    expect(await stage.postgres()).toBeUndefined();
  });
});

describe('the schema', () => {
  let sql: DatabaseConnection;
  beforeAll(async () => {
    sql = await connectTo(app.current.databaseUrl, 'test of the doctor');
  });
  afterAll(() => sql.end());

  const compare = async (mend: boolean): Promise<string[]> =>
    (await schemaFindings(sql, (client) => makeSchema(client, []), mend)).map(
      ({ level, message, advice = '' }) =>
        `${level}: ${message}${advice.includes('could not be mended') ? ` ${advice.slice(advice.indexOf('('))}` : ''}`,
    );

  it('finds parts of the schema that are missing, were never completed or are switched off, and makes them', async () => {
    const damage = [
      'DROP INDEX content_link_key_idx',
      'DROP INDEX account_email_key',
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = ANY ('{event_space_idx,comment_list_idx}'::regclass[])`,
      'DROP INDEX audit_event_target_idx',
      'ALTER TABLE member DROP CONSTRAINT member_user_fk',
      'ALTER TABLE site_redirect DROP CONSTRAINT site_redirect_capture_check',
      'ALTER TABLE change_request DROP CONSTRAINT change_request_number_key',
      'DROP TRIGGER space_total_inserted ON space',
      'ALTER TABLE member DISABLE TRIGGER member_total_inserted',
      'CREATE INDEX left_by_somebody ON space (title)',
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'left_by_somebody'::regclass`,
      'CREATE INDEX of_the_operator ON space (title)',
      'ALTER TABLE site DROP COLUMN agents_context CASCADE',
      `CREATE OR REPLACE FUNCTION level_for(p_level access_level, p_member_role access_level) RETURNS access_level
         LANGUAGE sql IMMUTABLE AS $$ SELECT p_level $$`,
    ];
    for (const statement of damage) await sql.query(statement);
    const found = await compare(false);
    expect(found.filter((line) => line.startsWith('mended'))).toEqual([]);
    expect(found).toContain('fault: Further parts of the schema that are not as the migrations make them: 8');
    const shown = (await compare(true)).join('\n');
    for (const part of [
      'index content_link_key_idx of content_link is missing: it was made',
      'index account_email_key of account is missing: it was made',
      'index comment_list_idx of comment was never completed: it was built again',
      'index event_space_idx of event was never completed: it was built again',
      'index audit_event_target_idx of audit_event is missing: it was made',
      'constraint member_user_fk of member is missing: it was made',
      'constraint site_redirect_capture_check of site_redirect is missing: it was made',
      'constraint change_request_number_key of change_request is missing: it was made',
      'trigger space_total_inserted of space is missing: it was made',
      'trigger member_total_inserted of member is not enforced: it was switched on',
      'index left_by_somebody of space was never completed, and no migration makes it: it was dropped',
    ])
      expect(shown).toContain(part);
    // A column that is gone has taken data along, and a function was changed by somebody.
    expect(shown).toContain('fault: The column agents_context of site is missing');
    expect(shown).toMatch(/fault: The function level_for\(.*\) is not as the migrations make it/);
    await sql.query(`ALTER TABLE site ADD COLUMN agents_context text NOT NULL DEFAULT 'included'`);
    await sql.query(`CREATE OR REPLACE FUNCTION level_for(p_level access_level, p_member_role access_level) RETURNS access_level LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_level IS NOT NULL AND p_member_role = 'none' THEN 'none'::access_level ELSE p_level END
$$`);
    expect(await compare(false)).toEqual([expect.stringMatching(/^ok: All \d+ tables/)]);
    expect((await sql.query(`SELECT FROM pg_class WHERE relname = 'of_the_operator'`)).rowCount).toBe(1);
    await sql.query('DROP INDEX of_the_operator');
  });

  it('says of a constraint that rows break which rows are in the way, and leaves it', async () => {
    await app.current.database.execute('ALTER TABLE api_token DROP CONSTRAINT api_token_user_fk');
    await app.current.database.execute(
      `INSERT INTO api_token (id, user_id, name, hash, hint, created_at) VALUES ('t', 'nobody', 'n', '', '', now())`,
    );
    expect(await compare(true)).toEqual([
      expect.stringMatching(
        /^fault: The constraint api_token_user_fk of api_token is missing \(.*violates foreign key constraint.*\(nobody\)/,
      ),
    ]);
    await app.current.database.execute(`DELETE FROM api_token WHERE id = 't'`);
    expect(await compare(true)).toEqual([
      'mended: The constraint api_token_user_fk of api_token is not enforced: it was validated',
    ]);
  });
});

describe('the doctor and what is outside', () => {
  let folder: string;
  let mail: MailServer;
  const servers: Server[] = [];

  const dayFromNow = (days: number): Date => new Date(Date.now() + days * 86_400_000);

  /** A server with a certificate that ends after so many days, and its port. */
  async function serve(days: number, commonName = 'localhost'): Promise<{ port: number; certificate: string }> {
    const { privateKey, certificate } = makeIdentity({ from: dayFromNow(-9), until: dayFromNow(days), commonName });
    const server = createServer({ key: privateKey, cert: certificate });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    return { port: (server.address() as AddressInfo).port, certificate };
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-doctor-'));
    mail = await MailServer.start();
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await mail.stop();
    await rm(folder, { recursive: true });
  });

  it('sees certificates, their ends and whether they are trusted; names that do not resolve; and the mail server', async () => {
    const [good, soon] = [await serve(60), await serve(3)];
    const trust = async ({ certificate }: { certificate: string }, name: string) => {
      await writeFile(join(folder, name), `${certificate}\n`);
      return { NODE_EXTRA_CA_CERTS: join(folder, name) };
    };
    const [first, second] = await Promise.all([
      examine([], {
        ...(await trust(good, 'good.pem')),
        API_URL: `https://localhost:${good.port}`,
        SMTP_URL: mail.url,
        MAIL_FROM: 'docs@example.com',
      }),
      examine([], {
        ...(await trust(soon, 'soon.pem')),
        API_URL: `https://localhost:${soon.port}`,
        PUBLIC_URL: 'https://nobody.invalid',
        SMTP_URL: 'smtp://docs:hush-hush-hush@127.0.0.1:1',
        MAIL_FROM: 'docs@example.com',
        LOG_LEVLE: 'info',
      }),
    ]);
    expect([first.code, bad(first.report)]).toEqual([0, []]);
    const messages = first.report.findings.map(({ message }) => message).join('\n');
    expect(messages).toMatch(/The certificate of localhost:\d+ is valid until/);
    expect(messages).toContain('The mail server of SMTP_URL lets the service in');
    expect(mail.letters).toEqual([]);
    expect([second.code, bad(second.report)]).toEqual([
      1,
      [
        expect.stringMatching(/^warning names: LOG_LEVLE/),
        expect.stringMatching(/^fault mail-server: The mail server of SMTP_URL cannot be used: .*ECONNREFUSED/),
        expect.stringMatching(/^fault addresses: PUBLIC_URL: the name nobody\.invalid does not resolve/),
        expect.stringMatching(/^warning certificates: The certificate of localhost:\d+ ends on .*, in \d days$/),
        expect.stringMatching(/^warning certificates: No certificate of nobody\.invalid can be seen/),
      ],
    ]);
    expect(second.text).not.toContain('hush-hush');
  });

  it('sees certificates that ended, or are of another name', async () => {
    const [ended, another] = [await serve(-3), await serve(60, 'another.example.com')];
    expect(await certificateFinding(`https://localhost:${ended.port}`)).toMatchObject({
      level: 'fault',
      message: expect.stringMatching(/^The certificate of localhost:\d+ ended on/),
    });
    expect(await certificateFinding(`https://localhost:${another.port}`)).toMatchObject({
      level: 'fault',
      message: expect.stringMatching(/^The certificate of localhost:\d+ is not trusted/),
    });
  });
});
