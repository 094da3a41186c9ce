import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type DatabaseConnection, connectTo } from '../../src/kernel/common/connection.js';
import { hashDocument } from '../../src/formats/document/hash.js';
import { TestApp, useApp } from '../app.js';
import { BackupDesk } from '../backup-desk.js';
import { buildOrganization } from '../build.js';
import { chanceOf } from '../faults/chance.js';
import { findImpossible, LedgerCheck } from '../faults/kill-checks.js';
import { Caller, Ledger, WritingClient } from '../faults/kill-clients.js';

const WRITERS = 4;
/** Acknowledged batches before the backup begins, and while it is taken. */
const BATCHES = 20;

const app = useApp();

/** Lets clients write and merge until so many batches are acknowledged and `meanwhile` is done. */
async function write(
  token: string,
  space: string,
  ledger: Ledger,
  batches: number,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const stop = new AbortController();
  const caller = new Caller(`${app.current.url}/v1`, token, ledger.surprises, stop.signal);
  const writing = Array.from({ length: WRITERS }, (_, at) =>
    new WritingClient(`b${ledgers++}c${at}`, caller, ledger, chanceOf(at)).mergeRequests(space),
  );
  try {
    while (ledger.acknowledged < batches)
      await Promise.race([
        pause(10),
        Promise.all(writing).then(() => expect(ledger.surprises).toBe('writers that go on')),
      ]);
    await meanwhile();
  } finally {
    stop.abort();
    await Promise.all(writing);
  }
}
let ledgers = 0;

describe('3b-40 a backup taken while people write', () => {
  it('holds all that was acknowledged before it, nothing half done, and every document as it was hashed', async () => {
    const desk = await BackupDesk.open();
    let restored: DatabaseConnection | undefined;
    try {
      const { id, admin } = await buildOrganization(app.current);
      const token = admin.api.token ?? '';
      const space = (await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Backup', empty: true })).body
        .id;
      const before = new Ledger();
      await write(token, space, before, BATCHES);
      const target = await desk.target();
      await write(token, space, new Ledger(), 1, () => desk.create(app.current, target));
      const { url, files } = await desk.restore(target);
      restored = await connectTo(url, 'spec');
      const second = await TestApp.start({ FILES_DIR: files }, url);
      try {
        expect(await findImpossible(restored)).toEqual([]);
        expect(await new LedgerCheck(new Caller(`${second.url}/v1`, token), restored).find(before)).toEqual([]);
        const { rows } = await restored.query<{ hash: string; body: object }>(
          `SELECT encode(hash, 'hex') AS hash, body FROM document`,
        );
        expect(rows.length).toBeGreaterThan(BATCHES);
        expect(rows.filter(({ hash, body }) => hashDocument(body) !== hash)).toEqual([]);
      } finally {
        await second.close();
      }
    } finally {
      await restored?.end();
      await desk.close();
    }
  }, 120_000);
});
