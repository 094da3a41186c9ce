import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateUp } from '../../src/cli/schema.js';
import { connectTo } from '../../src/kernel/common/connection.js';
import { databaseFindings } from '../../src/operations/doctor/database-checks.js';
import { replicaFindings } from '../../src/operations/doctor/replica-checks.js';
import { Stage } from '../faults/processes.js';
import { ReplicaPair } from './replica-pair.js';

describe('the doctor of a database with a replica', () => {
  let pair: ReplicaPair;
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.open();
    pair = await ReplicaPair.start();
    await migrateUp(pair.primaryUrl);
  }, 240_000);
  afterAll(async () => {
    await stage.close();
    await pair.close();
  });

  async function messagesOf(url: string): Promise<string> {
    const client = await connectTo(url, 'test of the doctor');
    const found = await databaseFindings(client, { databasePoolSize: 10, databaseDirectUrl: undefined });
    await client.end();
    return found.map(({ level, message }) => `${level}: ${message}`).join('\n');
  }

  it('knows that the replica keeps up, and that a replica alone will not do', async () => {
    expect(await messagesOf(pair.primaryUrl)).toMatch(/^ok: The replica .* is \d+\.\d s behind$/m);
    expect(await messagesOf(pair.standbyUrl)).toMatch(
      /^fault: The database \w+ is a replica, which accepts no changes$/,
    );
  });

  it('asks all servers that the address names', async () => {
    const env = { DATABASE_URL: pair.url, SECRET_KEY: 'a-key-for-tests-only-a-key-for-tests-only' };
    const { code, stdout } = await stage.finish(['doctor'], { env });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/The server [\d.:]+ of DATABASE_URL accepts changes$/m)]);
    expect(stdout).toMatch(/The server [\d.:]+ of DATABASE_URL is a replica$/m);
  });

  it('measures how far replicas are behind that are to be read, and finds those that are none', async () => {
    const other = process.env['TEST_DATABASE_URL'] ?? '';
    const messages = async (readUrl: string): Promise<string> => {
      const client = await connectTo(pair.primaryUrl, 'test of the doctor');
      const found = await replicaFindings(client, readUrl, 1);
      await client.end();
      return found.map(({ level, message }) => `${level}: ${message}`).join('\n');
    };
    const both = await messages(pair.url);
    expect(both).toMatch(/^ok: The server [\d.:]+ of DATABASE_READ_URL is a replica, \d\.\d\d s behind$/m);
    expect(both).toMatch(
      /^ok: The server [\d.:]+ of DATABASE_READ_URL accepts changes, so it is not used as a replica$/m,
    );
    expect(await messages(other)).toMatch(/^fault: .* is no replica of this database$/);
    expect(await messages('postgres://bindery@127.0.0.1:1/docs')).toMatch(/^warning: .* cannot be reached/);
  });
});
