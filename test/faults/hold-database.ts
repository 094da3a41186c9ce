import { startEmbeddedPostgres } from '../../src/kernel/platform/embedded-postgres/embedded-postgres.js';

// A process that holds an embedded database until it is killed: `hold-database.ts <data directory> <server|guest>`.
const [, , dataDir = '', role = 'server'] = process.argv;
const database = await startEmbeddedPostgres({
  dataDir,
  durable: false,
  role: role === 'guest' ? 'guest' : 'server',
  log: (line) => void process.stderr.write(`${line}\n`),
  previous: process.env['EMBEDDED_POSTGRES_PREVIOUS'],
});
process.once('SIGTERM', () => void database.stop());
process.once('SIGHUP', () => process.abort());
process.once('SIGUSR2', () => {
  for (const kept: number[][] = []; ;) kept.push(Array.from({ length: 100_000 }, Math.random));
});
process.stdout.write(`${JSON.stringify({ url: database.url, pid: database.pid })}\n`);
