import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/kernel/platform/embedded-postgres/embedded-postgres.js';
import { blobKey } from '../../src/kernel/platform/storage/file-storage.js';
import { type Ending, pause, Stage } from './processes.js';
import { type S3Service, startS3 } from './s3-service.js';

const TOKEN = 'files-token-files-token-files-token-files-token';
const BUCKET = 'moved';
const LOCAL = {
  BOOTSTRAP_TOKEN: TOKEN,
  SEARCH_VECTORS: 'none',
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
};
const FILES = 25;
/** Files of one change. */
const MOST_AT_ONCE = 20;

interface Upload {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

let stage: Stage;
let s3: S3Service;
let remote: Readonly<Record<string, string>>;

beforeAll(async () => {
  stage = await Stage.open();
  s3 = await startS3(stage.folder, BUCKET);
  remote = { ...LOCAL, ...s3.settings };
}, 120_000);
afterAll(async () => {
  await stage.close();
  await s3.close();
});

async function ask<Body>(api: string, method: string, path: string, body?: object): Promise<Body> {
  const answer = await fetch(`${api}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}

/** Uploads files, each with other bytes, and returns their addresses without the host, which each start may change. */
async function upload(api: string, space: string, from: number, count: number): Promise<Upload[]> {
  const texts = Array.from(
    { length: count },
    (_, index) => `File ${from + index}. ${'x'.repeat((from + index) * 977)}`,
  );
  const files = texts.map((text, index) => ({
    name: `${from + index}.txt`,
    contentType: 'text/plain',
    base64: Buffer.from(text).toString('base64'),
  }));
  const changes = Array.from({ length: Math.ceil(count / MOST_AT_ONCE) }, (_, index) => ({
    operation: 'insert_files',
    files: files.slice(index * MOST_AT_ONCE, (index + 1) * MOST_AT_ONCE),
  }));
  const { insertedFiles } = await ask<{ insertedFiles: { name: string; downloadURL: string }[] }>(
    api,
    'POST',
    `/spaces/${space}/content`,
    { changes },
  );
  return insertedFiles.map(({ name, downloadURL }, index) => {
    const { pathname, search } = new URL(downloadURL);
    return { name, path: `${pathname}${search}`, text: texts[index] ?? '' };
  });
}

async function fetched(address: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(address);
  return { status: answer.status, text: await answer.text() };
}

/** The names of the files that are not given as they were uploaded. */
async function wrong(published: string, uploads: readonly Upload[]): Promise<string[]> {
  const results = await Promise.all(
    uploads.map(async ({ name, path, text }) => {
      const address = `${published}${path}`;
      // The S3 of the test shows an object while it is written, which no other does: such an answer is cut off.
      const answer = await fetched(address).catch(() => pause(500).then(() => fetched(address)));
      return answer.status === 200 && answer.text === text ? [] : [`${name} ${answer.status}`];
    }),
  );
  return results.flat();
}

const resultOf = ({ code, stdout, stderr }: Ending): object => ({
  code,
  ...(stdout.startsWith('{') ? (JSON.parse(stdout) as object) : { stdout, stderr }),
});

describe('files that move from the disk to S3', () => {
  it('moves all files while the service gives them, and no longer needs the former storage then', async () => {
    const first = await stage.serve({ env: LOCAL });
    const { items } = await ask<{ items: { id: string }[] }>(first.facts.api, 'GET', '/orgs');
    const { id: space } = await ask<{ id: string }>(first.facts.api, 'POST', `/orgs/${items[0]?.id}/spaces`, {
      title: 'Files',
      empty: true,
      editMode: 'live',
    });
    const uploads = await upload(first.facts.api, space, 0, FILES);
    expect(await wrong(first.facts.published, uploads)).toEqual([]);
    const refused = await stage.finish(['files', 'move', '--json'], { env: LOCAL });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('FILES_MOVED_FROM')]);
    await first.server.kill('SIGTERM');

    const moving = { ...remote, FILES_MOVED_FROM: 'local' };
    const second = await stage.serve({ env: moving });
    expect(await wrong(second.facts.published, uploads)).toEqual([]);
    uploads.push(...(await upload(second.facts.api, space, FILES, 5)));
    // The first command is killed in the middle; the next one goes on.
    const killed = stage.run(['files', 'move', '--json'], { env: moving });
    let reads = 0;
    let isOver = false;
    const reading = (async () => {
      const faults: string[] = [];
      for (; !isOver; reads++) {
        faults.push(...(await wrong(second.facts.published, uploads)));
        await pause(100);
      }
      return faults;
    })();
    await pause(1200);
    await killed.kill('SIGKILL');
    const moved = resultOf(await stage.finish(['files', 'move', '--json'], { env: moving }));
    const again = resultOf(await stage.finish(['files', 'move', '--delete', '--json'], { env: moving }));
    isOver = true;
    expect(await reading).toEqual([]);
    expect(reads).toBeGreaterThan(0);
    expect(moved).toMatchObject({ code: 0, missing: 0, damaged: 0 });
    expect(again).toMatchObject({ code: 0, brought: 0, missing: 0, damaged: 0 });
    expect((again as { present: number }).present).toBeGreaterThanOrEqual(FILES + 5);
    await second.server.kill('SIGTERM');

    await rm(join(stage.dataDir, 'files'), { recursive: true });
    const third = await stage.serve({ env: remote });
    expect(await wrong(third.facts.published, uploads)).toEqual([]);
    await third.server.kill('SIGTERM');
  }, 240_000);

  it('tells of files that are missing, or whose bytes have changed, and copies neither', async () => {
    const { server, facts } = await stage.serve({ env: LOCAL });
    const { items } = await ask<{ items: { id: string }[] }>(facts.api, 'GET', '/orgs');
    const { id: space } = await ask<{ id: string }>(facts.api, 'POST', `/orgs/${items[0]?.id}/spaces`, {
      title: 'More files',
      empty: true,
      editMode: 'live',
    });
    const [gone, changed] = await upload(facts.api, space, 1000, 2);
    await server.kill('SIGTERM');
    const place = (text = ''): string =>
      join(stage.dataDir, 'files', blobKey(createHash('sha256').update(text).digest('hex')));
    await rm(place(gone?.text));
    await writeFile(place(changed?.text), 'other bytes');
    // Bytes of the last hour may still be on their way.
    const database = await startEmbeddedPostgres({ dataDir: stage.dataDir, log: () => undefined });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`UPDATE blob SET unreferenced_since = unreferenced_since - interval '2 hours'`);
    await client.end();
    await database.stop();
    const ending = await stage.finish(['files', 'move', '--json'], { env: { ...remote, FILES_MOVED_FROM: 'local' } });
    expect(resultOf({ ...ending, stdout: ending.stdout.split('\n')[0] ?? '' })).toMatchObject({
      code: 1,
      missing: 1,
      damaged: 1,
    });
  }, 120_000);
});
