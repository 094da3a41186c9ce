import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';

// A process that holds an embedded database until it is killed: `hold-database.ts <data directory> <server|guest>`.
const [, , dataDir = '', role = 'server'] = process.argv;
const database = await startEmbeddedPostgres({ dataDir, durable: false, role: role === 'guest' ? 'guest' : 'server', log: () => undefined });
process.once('SIGTERM', () => void database.stop());
process.stdout.write(`${JSON.stringify({ url: database.url, pid: database.pid })}\n`);
