import { connect as connectSocket, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseConnection, Route } from '../../src/kernel/common/connection.js';

const database = new URL(process.env['TEST_DATABASE_URL'] ?? '');

/** Another address of the database, which can stop to take connections while it keeps those that it has. */
class Door {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly host: string,
  ) {}

  static async open(): Promise<Door> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const door = new Door(server, `127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('connection', (near) => {
      const far = connectSocket(Number(database.port || 5432), database.hostname);
      for (const socket of [near, far]) {
        door.sockets.add(socket);
        socket.on('error', () => undefined);
      }
      near.pipe(far).pipe(near);
    });
    return door;
  }

  shut(): void {
    this.server.close();
  }

  close(): void {
    this.shut();
    for (const socket of this.sockets) socket.destroy();
  }
}

describe('connections to several hosts of a database', () => {
  let doors: readonly [Door, Door];

  beforeAll(async () => {
    doors = [await Door.open(), await Door.open()];
  });
  afterAll(() => doors.forEach((door) => door.close()));

  const routeTo = (...hosts: readonly string[]): Route => {
    const { username, password, pathname } = database;
    return new Route(`postgres://${username}:${password}@${hosts.join(',')}${pathname}`);
  };

  async function connected(route: Route): Promise<DatabaseConnection> {
    const connection = new DatabaseConnection(route.config);
    await connection.connect();
    return connection;
  }

  it('go to one that answers, and leave no request waiting for a former one', async () => {
    const [first, second] = doors;
    const route = routeTo('127.0.0.1:1', first.host);
    const alone = await connected(route);
    expect(`${alone.host}:${alone.port}`).toBe(first.host);
    await alone.end();
    const both = routeTo(first.host, second.host);
    const before = await connected(both);
    const waits = before.query('SELECT pg_sleep(30)').catch((error: unknown) => String(error));
    // It takes no more connections, and says nothing of those that it has.
    const former = doors.find(({ host }) => host === `${before.host}:${before.port}`);
    former?.shut();
    await expect(connected(both)).rejects.toThrow();
    const after = await connected(both);
    expect([first.host, second.host].filter((host) => host !== former?.host)).toEqual([`${after.host}:${after.port}`]);
    expect(await waits).toMatch(/Connection terminated/);
    expect((await after.query('SELECT 1')).rowCount).toBe(1);
    await after.end();
  });

  it('say why where none accepts changes', async () => {
    await expect(connected(routeTo('127.0.0.1:1', '127.0.0.1:2'))).rejects.toThrow(
      /^Connection terminated: no server of the database accepts changes \(.*ECONNREFUSED.*ECONNREFUSED/,
    );
  });

  it('are closed where a host has become one that accepts no changes, also where it is the only one', async () => {
    const connection = await connected(routeTo(database.host));
    const ended = new Promise((resolve) => connection.once('end', resolve));
    await connection.query('BEGIN READ ONLY');
    await expect(connection.query('CREATE TABLE never_made ()')).rejects.toMatchObject({ code: '25006' });
    await ended;
    await expect(connection.query('SELECT 1')).rejects.toThrow();
  });
});
