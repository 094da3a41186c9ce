import { request as httpRequest } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Delete, Get, Module, Post, Query } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import fc from 'fast-check';
import { BodyInterceptor } from '../src/kernel/access/body.interceptor.js';
import { ErrorFilter } from '../src/kernel/common/error.filter.js';
import { requestContext } from '../src/kernel/common/request-context.middleware.js';
import { CONFIG } from '../src/kernel/platform/config/config.js';
import { loadConfig } from '../src/config.js';
import { applyHttpPlatform } from '../src/kernel/platform/http/http-platform.js';
import { FairQueue } from '../src/kernel/platform/http/fair-queue.middleware.js';
import { RequestBodies } from '../src/kernel/platform/http/json-body.js';
import { WorkerPool } from '../src/kernel/platform/workers/worker-pool.js';
import { Listeners } from '../src/kernel/platform/http/listeners.js';
import { EventLoopMonitor } from '../src/kernel/platform/telemetry/event-loop-monitor.js';
import { RateLimit } from '../src/kernel/platform/rate-limit/rate-limit.js';
import { createLog, LOG } from '../src/kernel/platform/telemetry/logger.js';
import { Metrics } from '../src/kernel/platform/telemetry/metrics.js';
import { OperatorEndpoints } from '../src/kernel/platform/telemetry/operator-endpoints.js';
import { faultOf, nameFaultOf, sizeFaultOf } from '../src/kernel/platform/http/json-checks.js';

@Controller('things')
class ThingsController {
  @Post()
  create(@Body() body: unknown) {
    return { body: body ?? null };
  }
  @Get()
  list(@Query() query: Record<string, unknown>) {
    return { query, text: 'x'.repeat(5000) };
  }
  @Delete(':id')
  remove() {
    return {};
  }
  @Get('broken')
  broken() {
    throw new Error('select secret from vault');
  }
}

const passOn = {
  handle: (_request: unknown, _response: unknown, next: () => void) => next(),
  observe: (_request: unknown, _response: unknown, next: () => void) => next(),
  follow: () => undefined,
  outside: <T>(work: () => Promise<T>) => work(),
};
const LIMIT = 20_000;

@Module({
  controllers: [ThingsController],
  providers: [
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
    { provide: CONFIG, useValue: { bodyLimit: LIMIT } },
    RequestBodies,
    Listeners,
    { provide: LOG, useFactory: () => createLog({ logLevel: 'silent' }) },
    ...[RateLimit, Metrics, OperatorEndpoints, FairQueue, EventLoopMonitor, WorkerPool].map((provide) => ({
      provide,
      useValue: passOn,
    })),
  ],
})
class ThingsModule {}

let app: NestExpressApplication;
let url: string;

beforeAll(async () => {
  const config = loadConfig({ BODY_LIMIT: String(LIMIT), CORS_ORIGINS: 'https://docs.example.com' });
  app = await NestFactory.create<NestExpressApplication>(ThingsModule, { bodyParser: false, logger: false });
  const opening = requestContext(({ ip }) => ip);
  applyHttpPlatform(app, config, opening, []);
  app.setGlobalPrefix('v1');
  await app.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
});
afterAll(() => app.close());

interface Answer {
  status: number;
  headers: Headers;
  body: { error?: { code: number; message: string; details?: { path: string }[] }; body?: unknown; query?: unknown };
}

async function send(
  method: string,
  path: string,
  body?: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    body: body as string,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Answer['body']),
  };
}

/** A refusal has the one error shape, the status as its code, and a request id. */
async function refused(answer: Promise<Answer>, status: number): Promise<Answer> {
  const seen = await answer;
  expect({ status: seen.status, code: seen.body.error?.code }).toEqual({ status, code: status });
  expect(seen.body.error?.message).toEqual(expect.any(String));
  expect(seen.headers.get('x-request-id')).toMatch(/.{8,}/);
  expect(seen.headers.get('content-type')).toMatch(/^application\/json/);
  return seen;
}

describe('paths and methods', () => {
  it.each(['/nowhere', '/v1/nowhere', '/', '/v1', '/v1/things/1/2/3'])(
    'answers the unknown path %s with 404',
    async (path) => {
      await refused(send('GET', path), 404);
      await refused(send('POST', path, '{}'), 404);
    },
  );

  it('3b-27 answers a wrong method with 405 and what is allowed', async () => {
    const answer = await refused(send('PUT', '/v1/things', '{}'), 405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    expect((await refused(send('PATCH', '/v1/things/abc', '{}'), 405)).headers.get('allow')).toBe('DELETE, OPTIONS');
    const options = await send('OPTIONS', '/v1/things/abc');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'DELETE, OPTIONS']);
  });

  it('answers methods that HTTP does not know', async () => {
    const text = await raw('BREW /v1/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1.1 400 Bad Request\r\n.*"code":400/s);
    expect(await raw('PURGE /v1/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 405 .*"code":405/s,
    );
  });

  it('hides what went wrong inside', async () => {
    const answer = await refused(send('GET', '/v1/things/broken'), 500);
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|vault|at /);
  });

  it.each([
    ['NUL in the path', '/v1/things/%00'],
    ['NUL in the query', '/v1/things?a=%00'],
    ['malformed encoding', '/v1/things?a=%E0%A4%A'],
    ['a lone surrogate', '/v1/things?a=%ED%A0%80'],
    ['a long query', `/v1/things?a=${'x'.repeat(9000)}`],
  ])('3b-25 refuses %s', (_, path) => refused(send('GET', path), 400).then(() => undefined));

  it('3b-27 refuses headers without end and bodies with two lengths', async () => {
    expect(await raw(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 .*"code":431/s,
    );
    expect(
      await raw(
        'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1.1 400 .*"code":400/s);
  });
});

describe('bodies', () => {
  it('reads JSON, compressed too', async () => {
    expect((await send('POST', '/v1/things', '{"a":[1,"ü",null]}')).body).toEqual({ body: { a: [1, 'ü', null] } });
    expect((await send('POST', '/v1/things', '\uFEFF[1]')).body).toEqual({ body: [1] });
    expect((await send('POST', '/v1/things', gzipSync('{"a":1}'), { 'Content-Encoding': 'gzip' })).body).toEqual({
      body: { a: 1 },
    });
    expect(
      (await send('POST', '/v1/things', '{"a":1}', { 'Content-Type': 'application/merge-patch+json; charset=UTF-8' }))
        .body,
    ).toEqual({ body: { a: 1 } });
    expect((await send('POST', '/v1/things')).body).toEqual({ body: null });
  });

  it.each([
    ['broken JSON', '{"a":', 400],
    ['no object or array', '"text"', 400],
    ['bytes that are no UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), 400],
    ['NUL in a text', '{"a":{"b":["x\\u0000y"]}}', 400],
    ['NUL in a name', '{"a\\u0000":1}', 400],
    ['half of a surrogate pair', '{"a":"\\ud800"}', 400],
    ['a number without end', '{"a":1e400}', 400],
    ['the name __proto__', '{"a":{"__proto__":{"admin":true}}}', 400],
    ['101 levels', '['.repeat(101) + ']'.repeat(101), 400],
    ['10,000 levels', '['.repeat(9999) + ']'.repeat(9999), 400],
    ['a large body', `"${'x'.repeat(LIMIT)}"`, 413],
  ])('3b-25 refuses %s', (_, body, status) => refused(send('POST', '/v1/things', body), status).then(() => undefined));

  it('names the place of a fault', async () => {
    const answer = await refused(send('POST', '/v1/things', '{"changes":[{},{"title":"x\\u0000"}]}'), 400);
    expect(answer.body.error?.details).toEqual([{ path: 'changes.1.title', message: expect.any(String) }]);
  });

  it.each([
    ['{"title":1,"title":2}', 'title'],
    ['{"title":1,"t\\u0069tle":2}', 'title'],
    ['{"a":{"title":1},"changes":[{},[{"title":{"x":[]},"other":"title","title":null}]]}', 'changes.1.0.title'],
    ['{"":1,"b":"\\\\","":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    [`{${Array.from({ length: 40 }, (_, index) => `"${index}":0`).join()},"\\u0033\\u0030":0}`, '30'],
  ])('3b-25 refuses a name that an object has twice: %.60s', async (body, path) => {
    const answer = await refused(send('POST', '/v1/things', body), 400);
    expect(answer.body.error?.details).toEqual([{ path, message: 'the object has this name twice' }]);
  });

  it('takes the same name in several objects, and as a text', async () => {
    const body = '{"a":{"a":[{"a":"a"},{"a":"\\"a\\":"}],"A":1},"b":"a","\\\\a":["a","a"]}';
    expect((await send('POST', '/v1/things', body)).body.body).toEqual(JSON.parse(body));
    fc.assert(fc.property(fc.json(), (text) => nameFaultOf(JSON.stringify(JSON.parse(text))) === undefined));
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.json(), { minKeys: 1, noNullPrototype: true }),
        fc.nat(),
        (object, at) => {
          const names = Object.keys(object);
          const name = names[at % names.length] ?? '';
          const json = `[{${[...Object.entries(object), [name, '0']].map(([each, value]) => `${JSON.stringify(each)}: ${value}`).join(' , ')}}]`;
          return nameFaultOf(json)?.details[0]?.path.startsWith('0.') === true;
        },
      ),
    );
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    '',
  ])('refuses the content type "%s"', async (type) => {
    await refused(send('POST', '/v1/things', Buffer.from('{}'), { 'Content-Type': type }), 415);
  });

  it('refuses unknown and false encodings', async () => {
    await refused(send('POST', '/v1/things', '{}', { 'Content-Encoding': 'zstd' }), 415);
    await refused(send('POST', '/v1/things', '{}', { 'Content-Encoding': 'gzip' }), 400);
  });

  it('3b-26 stops at the limit while a compressed body grows', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * LIMIT, 0x20));
    expect(bomb.length).toBeLessThan(LIMIT);
    await refused(send('POST', '/v1/things', bomb, { 'Content-Encoding': 'gzip' }), 413);
  });

  it('3b-26 answers 413 although the length was not announced', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest(
        `${url}/v1/things`,
        { method: 'POST', headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on('error', reject);
      for (let i = 0; i < 40; i++) sent.write(' '.repeat(LIMIT / 10));
      sent.end();
    });
    expect(status).toBe(413);
  });

  it('finds every fault wherever it is, and no other', () => {
    const bad = fc.constantFrom('\0', 'a\ud800', '\udc00b', Number.POSITIVE_INFINITY);
    const good = fc
      .jsonValue({ maxDepth: 4, noUnicodeString: false })
      .filter((value) => !/\\u0000|\\ud[89a-f]|__proto__/i.test(JSON.stringify(value)));
    fc.assert(fc.property(good, (value) => faultOf(value) === undefined));
    fc.assert(
      fc.property(
        good,
        good,
        bad,
        (before, after, fault) => faultOf([before, { inner: [after, fault] }])?.details[0]?.path === '1.inner.1',
      ),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.boolean(), (depth, object) => {
        const json = (object ? '{"[{\\"":' : '[').repeat(depth) + '1' + (object ? '}' : ']').repeat(depth);
        return (sizeFaultOf(Buffer.from(json)) !== undefined) === depth > 100;
      }),
    );
    expect([
      sizeFaultOf(Buffer.from(`[${'{},'.repeat(400_000)}"${','.repeat(400_000)}"]`)),
      sizeFaultOf(Buffer.from(`["${'[{,'.repeat(400_000)}"]`)),
    ]).toEqual(['The body has more than 700000 values', undefined]);
  });
});

describe('headers', () => {
  it('protects, compresses and tells nothing about itself', async () => {
    const answer = await send('GET', '/v1/things');
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
    expect(answer.headers.get('strict-transport-security')).toBeNull();
    expect(answer.headers.get('content-encoding')).toMatch(/^(gzip|br)$/);
  });

  it('lets the configured origins in', async () => {
    const preflight = await send('OPTIONS', '/v1/things', undefined, {
      Origin: 'https://docs.example.com',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,idempotency-key',
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://docs.example.com');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,idempotency-key');
    const other = await send('GET', '/v1/things', undefined, { Origin: 'https://evil.example' });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('answers HEAD without a body', async () => {
    const answer = await send('HEAD', '/v1/things');
    expect([answer.status, answer.body]).toEqual([200, {}]);
  });
});

/** What a server answers to exactly these bytes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket
      .on('end', () => resolve(answer))
      .on('close', () => resolve(answer))
      .on('error', reject);
  });
}
