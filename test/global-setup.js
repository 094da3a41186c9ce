import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

register('./faults/typescript-hooks.mjs', import.meta.url);

const MEMORY = '/dev/shm';
const BYTES_NEEDED = 6 * 2 ** 30;

/** Whether what the tests write can lie in memory: each spec file has a thousand files made for its database, and faults sync theirs. */
async function hasRoomInMemory() {
  const { bavail = 0, bsize = 0 } = await statfs(MEMORY).catch(() => ({}));
  return bavail * bsize > BYTES_NEEDED;
}

/**
 * Gives all specs one PostgreSQL (their own embedded one, or the server that TEST_DATABASE_URL
 * names) with a migrated template, of which each spec file makes its database.
 */
export default async function setup() {
  if (process.env.TMPDIR === undefined && (await hasRoomInMemory())) process.env.TMPDIR = MEMORY;
  const { createDataSource } = await import('../src/data-source.ts');
  const { migrateUp } = await import('../src/cli/schema.ts');
  let stop = async () => {};
  if (!process.env.TEST_DATABASE_URL) {
    const { startEmbeddedPostgres } = await import('../src/kernel/platform/embedded-postgres/embedded-postgres.ts');
    const folder = await mkdtemp(join(tmpdir(), 'bindery-test-'));
    // As root the database runs as another user, who must be able to enter.
    await chmod(folder, 0o755);
    const server = await startEmbeddedPostgres({ dataDir: folder, durable: false, log: () => {} });
    process.env.TEST_DATABASE_URL = server.url;
    stop = async () => {
      await server.remove();
      await rm(folder, { recursive: true, force: true });
    };
  }
  const template = `bindery_template_${process.pid}`;
  const server = createDataSource({ url: process.env.TEST_DATABASE_URL, poolSize: 1 });
  await server.initialize();
  await server.query(`CREATE DATABASE ${template} ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0`);
  const address = new URL(process.env.TEST_DATABASE_URL);
  address.pathname = `/${template}`;
  await migrateUp(address.toString());
  process.env.TEST_DATABASE_TEMPLATE = template;
  globalThis.binderyTeardown = async () => {
    await server.query(`DROP DATABASE ${template} WITH (FORCE)`);
    await server.destroy();
    await stop();
  };
}
