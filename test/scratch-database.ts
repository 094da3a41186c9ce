import { DataSource } from 'typeorm';
import { randomCharacters } from '../src/kernel/common/ids.js';
import { createDataSource } from '../src/data-source.js';

export interface ScratchDatabase {
  readonly url: string;
  readonly source: DataSource;
  /** Another connection pool to the same database, as a second server has. */
  connect(): Promise<DataSource>;
  drop(): Promise<void>;
}

/** A database of its own, for services that are tested without the whole server: migrated, or empty. */
export async function scratchDatabase(state: 'migrated' | 'empty' = 'migrated'): Promise<ScratchDatabase> {
  const name = `scratch_${randomCharacters(12).toLowerCase()}`;
  const address = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  const server = new DataSource({ type: 'postgres', url: address.toString(), poolSize: 1 });
  await server.initialize();
  const origin =
    state === 'migrated'
      ? `TEMPLATE ${process.env['TEST_DATABASE_TEMPLATE'] ?? ''}`
      : `ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0`;
  await server.query(`CREATE DATABASE ${name} ${origin}`);
  address.pathname = `/${name}`;
  const url = address.toString();
  const sources: DataSource[] = [];
  const connect = async (): Promise<DataSource> => {
    const source = createDataSource({ url, poolSize: 8 });
    await source.initialize();
    sources.push(source);
    return source;
  };
  const drop = async (): Promise<void> => {
    await Promise.all(sources.filter((each) => each.isInitialized).map((each) => each.destroy()));
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.destroy();
  };
  return { url, source: await connect(), connect, drop };
}
