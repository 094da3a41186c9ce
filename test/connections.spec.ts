import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Connections } from '../src/kernel/platform/http/connections.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** What a client of bytes has read so far, and how its connection ended. */
type Client = { readonly socket: Socket; text: string; readonly ended: Promise<'closed' | 'reset'> };

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

async function listen(
  handler: RequestListener,
  bodies?: ConstructorParameters<typeof Connections>[1],
): Promise<{ server: Server; connections: Connections }> {
  const server = createServer(handler);
  const connections = new Connections(server, bodies);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, connections };
}

async function open(server: Server, text = '', allowHalfOpen = false): Promise<Client> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen });
  let error = false;
  socket.once('error', () => (error = true));
  const ended = once(socket, 'close').then(() => (error ? ('reset' as const) : ('closed' as const)));
  const client: Client = { socket, text: '', ended };
  socket.setEncoding('utf8').on('data', (part: string) => (client.text += part));
  undo.push(() => socket.destroy());
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return client;
}

/** Waits until the client has read so many answers. */
async function answers(client: Client, count = 1): Promise<string> {
  for (const end = Date.now() + 5000; client.text.split('HTTP/1.1 ').length - 1 < count; await pause(5))
    if (Date.now() > end) throw new Error(`no answer: ${client.text}`);
  return client.text;
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((settle, fail) =>
    server.getConnections((error, count) => (error === null ? settle(count) : fail(error))),
  );

const closes = (text: string): string[] => [...text.matchAll(/^Connection: (.*)$/gim)].map(([, value = '']) => value);

describe('a body', () => {
  const bodies = { milliseconds: 200, bytesPerSecond: 100_000, checkedEveryMilliseconds: 20 };
  const post = (header: string): string => `POST / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`;
  const readAll: RequestListener = (request, response) => request.resume().once('end', () => response.end('read'));

  it.each([
    ['that stops', 'Content-Length: 1000000', '', ''],
    ['in chunks that stop', 'Transfer-Encoding: chunked', '5\r\n{"a"', ''],
    ['that trickles', 'Content-Length: 1000000', 'a', 'b'],
  ])('%s is answered with 408, and the connection closed', async (_, header, first, more) => {
    const { server } = await listen(readAll, bodies);
    const client = await open(server, post(header) + first);
    const trickle = setInterval(() => client.socket.write(more), 10);
    expect([await client.ended, /^HTTP\/1\.1 408 /.test(client.text)]).toEqual(['closed', true]);
    clearInterval(trickle);
  });

  it('takes as long as it needs while its bytes keep coming', async () => {
    const { server } = await listen(readAll, bodies);
    const [part, parts] = [50_000, 20];
    const client = await open(server, post(`Content-Length: ${part * parts}`));
    for (let sent = 0; sent < parts; sent++) {
      client.socket.write('x'.repeat(part));
      await pause(40);
    }
    expect(await answers(client)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('the end of connections', () => {
  it('is announced by every answer, of old and new connections and of requests under way, while all are served', async () => {
    const release: (() => void)[] = [];
    const { server, connections } = await listen((request, response) =>
      request.url === '/slow' ? release.push(() => response.end('slow')) : response.end('at once'),
    );
    const idle = await open(server, GET);
    expect(closes(await answers(idle))).toEqual(['keep-alive']);
    const slow = await open(server, GET.replace('/', '/slow'));
    while (release.length === 0) await pause(5);
    connections.announceEnd();
    const fresh = await open(server, GET);
    expect([closes(await answers(fresh)), await fresh.ended]).toEqual([['close'], 'closed']);
    idle.socket.write(GET);
    expect([closes(await answers(idle, 2)), await idle.ended]).toEqual([['keep-alive', 'close'], 'closed']);
    release[0]?.();
    expect([closes(await answers(slow)), await slow.ended]).toEqual([['close'], 'closed']);
  });

  it('waits for requests under way and for those that come over idle connections, and gives up quiet ones', async () => {
    const release: (() => void)[] = [];
    const { server, connections } = await listen((request, response) =>
      request.url === '/slow' ? release.push(() => response.end('slow')) : response.end('at once'),
    );
    const [quiet, silent, late, partial, slow] = [
      await open(server, GET),
      await open(server),
      await open(server, GET),
      await open(server, GET),
      await open(server, GET.replace('/', '/slow')),
    ];
    await Promise.all([answers(quiet), answers(late), answers(partial)]);
    partial.socket.write(GET.slice(0, 10));
    while (release.length === 0) await pause(5);
    const begin = Date.now();
    const closed = connections.close(20, 400);
    await expect(open(server)).rejects.toThrow();
    await pause(200);
    late.socket.write(GET);
    expect([closes(await answers(late, 2)), await late.ended]).toEqual([['keep-alive', 'close'], 'closed']);
    expect([await quiet.ended, await silent.ended]).toEqual(['closed', 'closed']);
    expect(Date.now() - begin).toBeGreaterThanOrEqual(300);
    await pause(300);
    partial.socket.write(GET.slice(10));
    expect([closes(await answers(partial, 2)), await partial.ended]).toEqual([['keep-alive', 'close'], 'closed']);
    expect(slow.socket.destroyed).toBe(false);
    release[0]?.();
    expect([closes(await answers(slow)), await slow.ended]).toEqual([['close'], 'closed']);
    await closed;
  });

  it('comes at once for idle connections where nobody balances, and for all others when their time is up', async () => {
    const { server, connections } = await listen((request, response) =>
      request.url === '/slow' ? undefined : response.end('at once'),
    );
    const idle = await open(server, GET);
    await answers(idle);
    const stuck = await open(server, GET.replace('/', '/slow'));
    await pause(50);
    const begin = Date.now();
    await connections.close(0.3);
    expect(await idle.ended).toBe('closed');
    await stuck.ended;
    expect(Date.now() - begin).toBeGreaterThanOrEqual(290);
    expect(Date.now() - begin).toBeLessThan(5000);
  });

  it('leaves no pipelined request without an answer', async () => {
    const release: (() => void)[] = [];
    const { server, connections } = await listen((_, response) => release.push(() => response.end('answered')));
    const before = await open(server, GET + GET);
    while (release.length < 2) await pause(5);
    connections.announceEnd();
    const behind = await open(server, GET + GET + GET);
    while (release.length < 5) await pause(5);
    for (const answer of release) answer();
    expect([closes(await answers(before, 2)), await before.ended]).toEqual([['keep-alive', 'close'], 'closed']);
    expect([closes(await answers(behind, 3)), await behind.ended]).toEqual([
      ['keep-alive', 'keep-alive', 'close'],
      'closed',
    ]);
  });

  it('resets no answer that is out before its request has come in whole', async () => {
    const { server, connections } = await listen((_, response) => response.writeHead(401).end('who are you?'));
    connections.announceEnd();
    const body = 'x'.repeat(1_000_000);
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${4 * body.length}\r\n\r\n`;
    const client = await open(server, head, true);
    for (let part = 0; part < 4; part++) {
      await pause(20);
      await new Promise((settle) => client.socket.write(body, settle));
    }
    expect(closes(await answers(client))).toEqual(['close']);
    client.socket.end();
    expect(await client.ended).toBe('closed');
    // A client that never sends the rest does not keep its connection.
    const endless = await open(server, head, true);
    expect(closes(await answers(endless))).toEqual(['close']);
    while (server.listening && (await connectionsOf(server)) > 0) await pause(20);
  });
});
