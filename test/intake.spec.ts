import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import { Database } from '../src/kernel/common/database.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, buildPerson } from './build.js';
import { Client } from './client.js';

const MEGABYTE = 1024 ** 2;

/** JSON that is dear to parse: 9.5 MB of small values, which shrink to a sixth. */
function dearBody(): Buffer {
  const parts: string[] = [];
  let random = 1;
  for (let size = 0; size < 9.5 * MEGABYTE;) {
    random = (random * 48_271) % 2_147_483_647;
    const part = `{"operation":"update_page","page":"${random.toString(36)}","title":"Page ${random % 1000}"}`;
    parts.push(part);
    size += part.length + 1;
  }
  return Buffer.from(`{"changes":[${parts.join(',')}]}`);
}

interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: { error?: { code: number; message: string } };
}

/** Sends a body that is announced by its length or, in chunks, not at all; the answer is read while it is sent. */
function send(
  address: string,
  method: string,
  path: string,
  body: Buffer,
  headers: Record<string, string>,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      new URL(path, address),
      { method, agent: false, headers: { 'Content-Type': 'application/json', ...headers } },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, body: JSON.parse(text) as Reply['body'] }),
        );
      },
    );
    let isAnswered = false;
    sent.on('response', () => (isAnswered = true));
    // The connection is closed before the body is through.
    sent.on('error', (error) => (isAnswered ? undefined : reject(error)));
    sent.end(body);
  });
}

const cpuMilliseconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

describe('3b-26 bodies of callers who are not known', () => {
  const app = useApp({ BODY_LIMIT: '10mb' });
  const dear = dearBody();
  const zipped = gzipSync(dear);
  const content = '/v1/spaces/AbCdEfGh0123456789Xy/content';

  /** Bytes that the server has read of the connections made meanwhile. */
  async function bytesRead(work: () => Promise<unknown>): Promise<number> {
    const sockets: { readonly bytesRead: number }[] = [];
    const note = (socket: { readonly bytesRead: number }) => void sockets.push(socket);
    const server: Server = app.current.nest.getHttpServer();
    server.on('connection', note);
    await work();
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.off('connection', note);
    expect(sockets.length).toBeGreaterThan(0);
    return sockets.reduce((all, socket) => all + socket.bytesRead, 0);
  }

  it.each([
    ['no token', {}],
    ['a wrong token', { Authorization: 'Bearer bdy_00000000000000000000000000000000000' }],
  ])('are neither read nor parsed with %s', async (_, authorization) => {
    expect([dear.length > 9 * MEGABYTE, zipped.length > 0.8 * MEGABYTE]).toEqual([true, true]);
    const headers = { 'Content-Encoding': 'gzip', 'Content-Length': String(zipped.length), ...authorization };
    await send(app.current.url, 'POST', content, zipped, headers);
    const parse = jest.spyOn(JSON, 'parse');
    const before = cpuMilliseconds();
    try {
      const answers: Reply[] = [];
      const read = await bytesRead(async () => {
        for (let i = 0; i < 3; i++) answers.push(await send(app.current.url, 'POST', content, zipped, headers));
      });
      const spent = (cpuMilliseconds() - before) / 3;
      expect(answers.map(({ status, headers: { connection } }) => [status, connection])).toEqual(
        Array.from({ length: 3 }, () => [401, 'close']),
      );
      expect(answers[0]?.headers['www-authenticate']).toMatch(/^Bearer/);
      // What fits into the buffers of a connection, and not the body.
      expect(read / 3).toBeLessThan(400_000);
      // Parsing one takes longer than a second; this is the time of the test and all that the process does meanwhile.
      expect(spent).toBeLessThan(400);
      expect(parse.mock.calls.filter(([text]) => text.length > 100_000)).toEqual([]);
    } finally {
      parse.mockRestore();
    }
  });

  it.each(['/v1/nowhere', '/v1/user'])('are left unread at %s, which takes none', async (path) => {
    const read = await bytesRead(async () => {
      const answer = await send(app.current.url, 'POST', path, zipped, {
        'Content-Encoding': 'gzip',
        'Content-Length': String(zipped.length),
      });
      expect([answer.status, answer.headers.connection]).toEqual([path === '/v1/user' ? 405 : 404, 'close']);
    });
    expect(read).toBeLessThan(400_000);
  });

  it('are left unread of those who may not do it, in chunks and as archives too', async () => {
    const [workspace, stranger] = [await buildOrganization(app.current), await buildPerson(app.current)];
    const space = await workspace.admin.api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, { title: 'Closed' });
    const reader = await workspace.member('read');
    const cases: [number, string, string, string, Record<string, string>][] = [
      [404, 'POST', stranger.api.token ?? '', `/v1/spaces/${space.body.id}/content`, {}],
      [
        404,
        'POST',
        stranger.api.token ?? '',
        `/v1/spaces/${space.body.id}/import`,
        { 'Content-Type': 'application/zip' },
      ],
      [403, 'PATCH', reader.api.token ?? '', `/v1/orgs/${workspace.id}`, {}],
      [401, 'POST', 'bdy_wrong', `/v1/spaces/${space.body.id}/import`, { 'Content-Type': 'application/zip' }],
    ];
    for (const [status, method, token, path, more] of cases) {
      const read = await bytesRead(async () => {
        const answer = await send(app.current.url, method, path, dear, {
          Authorization: `Bearer ${token}`,
          'Transfer-Encoding': 'chunked',
          ...more,
        });
        expect([path, answer.status]).toEqual([path, status]);
      });
      expect([path, read < 1_500_000 || read]).toEqual([path, true]);
    }
  });

  it('cost the sender who goes on sending the connection, and a small one nothing', async () => {
    const small = await fetch(`${app.current.url}${content}`, {
      method: 'POST',
      body: '{"changes":[]}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect([small.status, small.headers.get('connection')]).toEqual([401, 'keep-alive']);
    const { hostname, port } = new URL(app.current.url);
    const heard = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST ${content} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n\r\n`,
        );
        socket.write(Buffer.alloc(1000, 0x20));
      });
      socket
        .on('data', (chunk: Buffer) => (text += chunk.toString()))
        .on('close', () => resolve(text))
        .on('error', reject);
    });
    expect(heard).toMatch(/^HTTP\/1.1 401 .*Connection: close.*"code":401/s);
  });

  it('asks the database for a token once', async () => {
    const { api } = await buildPerson(app.current);
    const one = jest.spyOn(Database.prototype, 'one');
    try {
      expect((await api.post('/user/tokens', { name: 'another' })).status).toBe(201);
      expect(one.mock.calls.filter(([text]) => /FROM api_token t JOIN account u/.test(text))).toHaveLength(1);
    } finally {
      one.mockRestore();
    }
  });
});

describe('sizes of bodies', () => {
  const app = useApp({ BODY_LIMIT: '10mb' });

  it('are 100 KB at most where no token is needed', async () => {
    const anyone = new Client(app.current.url, undefined);
    const bodyOf = (bytes: number) => JSON.stringify({ code: 'x'.repeat(bytes - 11) });
    expect(bodyOf(500)).toHaveLength(500);
    expect((await anyone.post('/auth/exchange', undefined, { raw: bodyOf(100 * 1024 + 1) })).status).toBe(413);
    expect((await anyone.post('/auth/exchange', undefined, { raw: bodyOf(100 * 1024) })).status).not.toBe(413);
    // What it becomes counts, and so does a token that was not needed.
    expect(
      (
        await anyone.post('/auth/exchange', undefined, {
          raw: gzipSync(bodyOf(101 * 1024)),
          headers: { 'Content-Encoding': 'gzip' },
        })
      ).status,
    ).toBe(413);
    const { api } = await buildPerson(app.current);
    expect((await api.post('/auth/exchange', undefined, { raw: bodyOf(101 * 1024) })).status).toBe(413);
  });

  it('are bounded while they are decompressed, by what they become and by how much more that is than what was sent', async () => {
    const { api } = await buildPerson(app.current);
    const spaces = (bytes: number) => Buffer.alloc(bytes, 0x20);
    const zip = (body: Buffer, encoding: 'gzip' | 'br') =>
      api.post<{ error: { message: string } }>('/user/tokens', undefined, {
        raw:
          encoding === 'gzip'
            ? gzipSync(body)
            : brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
        headers: { 'Content-Encoding': encoding },
      });
    const bombs = [
      await zip(spaces(50 * MEGABYTE), 'gzip'),
      await zip(spaces(50 * MEGABYTE), 'br'),
      await zip(spaces(2 * MEGABYTE), 'gzip'),
      await zip(Buffer.concat([dearBody(), spaces(2 * MEGABYTE)]), 'gzip'),
    ];
    expect(bombs.map(({ status, body }) => [status, body.error.message])).toEqual([
      [413, 'The body becomes more than 100 times as large as it was sent'],
      [413, 'The body becomes more than 100 times as large as it was sent'],
      [413, 'The body becomes more than 100 times as large as it was sent'],
      [413, 'The body is larger than 10485760 bytes'],
    ]);
    // A megabyte may be as dull as it likes.
    expect((await zip(Buffer.concat([Buffer.from('{"name":"dull"}'), spaces(900_000)]), 'gzip')).status).toBe(201);
  });
});

describe('3b-41 the cost of requests', () => {
  it('is counted against the organization that asks, and refused beyond the limit, while another one is served', async () => {
    const app = await TestApp.start({ CPU_LIMIT_PER_MINUTE: '1', RATE_LIMIT_PER_MINUTE: '100000' });
    try {
      const [greedy, modest] = [await buildOrganization(app), await buildOrganization(app)];
      for (const { id, admin } of [greedy, modest]) expect((await admin.api.get(`/orgs/${id}`)).status).toBe(200);
      const dear = {
        raw: JSON.stringify({ title: 'Greedy', filler: Array.from({ length: 60_000 }, (_, index) => ({ index })) }),
      };
      const statuses: number[] = [];
      while (statuses.at(-1) !== 429 && statuses.length < 400)
        statuses.push((await greedy.admin.api.patch(`/orgs/${greedy.id}`, undefined, dear)).status);
      expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
      const refused = await greedy.admin.api.get(`/orgs/${greedy.id}`);
      expect([refused.status, refused.body]).toEqual([
        429,
        { error: { code: 429, message: 'Too much processor time: at most 1 seconds per minute' } },
      ]);
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      // Its budget of requests is another one, and told as it is.
      expect(Number(refused.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(90_000);
      expect((await modest.admin.api.get(`/orgs/${modest.id}`)).status).toBe(200);
      const metrics = await (await fetch(`${app.url}/metrics`)).text();
      expect(
        Number(/^bindery_request_cpu_seconds_total\{party="organization"\} (.+)$/m.exec(metrics)?.[1]),
      ).toBeGreaterThan(0.9);
    } finally {
      await app.close();
    }
  });
});
