import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, HttpCode, Logger, Module, Patch, Post } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Registry } from 'prom-client';
import { BodyInterceptor } from '../src/kernel/access/body.interceptor.js';
import { Clock } from '../src/kernel/common/clock.js';
import { currentContext } from '../src/kernel/common/context.js';
import { Database } from '../src/kernel/common/database.js';
import { EnvelopeInterceptor } from '../src/kernel/common/envelope.interceptor.js';
import { ErrorFilter } from '../src/kernel/common/error.filter.js';
import { invalid } from '../src/kernel/common/errors.js';
import { newId } from '../src/kernel/common/ids.js';
import { requestContext } from '../src/kernel/common/request-context.middleware.js';
import { Secrets } from '../src/kernel/common/secrets.js';
import { CONFIG } from '../src/kernel/platform/config/config.js';
import { FairQueue } from '../src/kernel/platform/http/fair-queue.middleware.js';
import { RequestBodies } from '../src/kernel/platform/http/json-body.js';
import { IdempotencyInterceptor, ShowsSecret } from '../src/kernel/platform/idempotency.interceptor.js';
import { CpuBudgets } from '../src/kernel/platform/rate-limit/cpu-budget.js';
import { StaleRowsJob } from '../src/kernel/platform/retention/stale-rows.job.js';
import { WorkerPool } from '../src/kernel/platform/workers/worker-pool.js';
import { scratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { SetClock } from './set-clock.js';

const HOUR = 3_600_000;
let scratch: ScratchDatabase;
let database: Database;
let app: NestExpressApplication;
let url: string;
const clock = new SetClock(Date.now());
const users = [newId(), newId()] as const;
let hold: Promise<void> | undefined;

@Controller('notes')
class NotesController {
  @Post()
  async create(@Body() body: { text?: string; fail?: boolean }) {
    const id = newId();
    await database.transaction(() => database.execute('INSERT INTO note VALUES ($1, $2)', [id, body.text]));
    if (body.text === undefined) throw invalid('text', 'is missing');
    if (body.fail) throw new Error('broken');
    await hold;
    return { id, text: body.text, count: await count() };
  }
  @Post('quiet')
  @HttpCode(204)
  async quiet() {
    await database.execute('INSERT INTO note VALUES ($1, $2)', [newId(), 'quiet']);
  }
  @Post('secret')
  @ShowsSecret()
  async secret() {
    const id = newId();
    await database.execute('INSERT INTO note VALUES ($1, $2)', [id, 'secret']);
    return { id, token: 'only-shown-once' };
  }
  @Patch()
  async patch() {
    await database.execute('INSERT INTO note VALUES ($1, $2)', [newId(), 'patched']);
    return {};
  }
  @Get()
  list() {
    return {};
  }
}

/** Signs in whoever the header names. */
function authenticate(request: Request, _response: Response, next: NextFunction): void {
  const context = currentContext();
  const userId = request.get('x-user');
  if (context && userId)
    context.caller = { userId, tokenId: 'Token', organizationId: request.get('x-organization'), scopes: undefined };
  next();
}

@Module({
  controllers: [NotesController],
  providers: [
    { provide: Database, useFactory: () => database },
    { provide: Clock, useValue: clock },
    { provide: Secrets, useValue: new Secrets(['s'.repeat(40)]) },
    {
      provide: CONFIG,
      useValue: { bodyLimit: 100_000, databasePoolSize: 10, cpuSharePerMinute: 0, cpuLimitPerMinute: 0 },
    },
    CpuBudgets,
    FairQueue,
    { provide: WorkerPool, useValue: new WorkerPool({ workerThreads: 1 }, { registry: new Registry() }) },
    RequestBodies,
    { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
class NotesModule {}

const count = async (): Promise<number> =>
  Number((await database.one<{ count: string }>('SELECT count(*) FROM note'))?.count);

beforeAll(async () => {
  Logger.overrideLogger(false);
  scratch = await scratchDatabase();
  database = new Database(scratch.source);
  await database.execute('CREATE TABLE note (id text, text text)');
  for (const id of users)
    await database.execute(
      `INSERT INTO account (id, display_name, email, created_at) VALUES ($1, 'Someone', $1 || '@example.com', now())`,
      [id],
    );
  app = await NestFactory.create<NestExpressApplication>(NotesModule, { bodyParser: false, logger: false });
  app.use(requestContext(({ ip }) => ip));
  app.use(authenticate);
  await app.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app.close();
  await scratch.drop();
});

interface Options {
  readonly path?: string;
  readonly method?: string;
  /** '' is nobody. */
  readonly user?: string;
  readonly organization?: string;
}
async function send(
  key: string | undefined,
  body: object,
  { path = '/notes', method = 'POST', user = users[0], organization }: Options = {},
) {
  const response = await fetch(`${url}${path}`, {
    method,
    body: JSON.stringify(body),
    headers: {
      'Content-Type': 'application/json',
      ...(key !== undefined && { 'Idempotency-Key': key }),
      'X-User': user,
      ...(organization !== undefined && { 'X-Organization': organization }),
    },
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
    replayed: response.headers.get('idempotency-replayed'),
    type: response.headers.get('content-type'),
  };
}

describe('Idempotency-Key', () => {
  it('gives the same answer again and changes nothing twice', async () => {
    const before = await count();
    const first = await send('first', { text: 'a' });
    const second = await send('first', { text: 'a' });
    expect(first).toMatchObject({ status: 201, body: { text: 'a' }, replayed: null });
    expect(second).toEqual({ ...first, replayed: 'true' });
    expect(await count()).toBe(before + 1);
    expect((await send('second', { text: 'a' })).body?.['id']).not.toBe(first.body?.['id']);
  });

  it('repeats answers without a body', async () => {
    const before = await count();
    const [first, second] = [
      await send('quiet', {}, { path: '/notes/quiet' }),
      await send('quiet', {}, { path: '/notes/quiet' }),
    ];
    expect([first.status, first.body, second.status, second.body, second.replayed]).toEqual([
      204,
      undefined,
      204,
      undefined,
      'true',
    ]);
    expect(await count()).toBe(before + 1);
  });

  it('refuses the key with another body or query', async () => {
    await send('taken', { text: 'one' });
    const other = await send('taken', { text: 'two' });
    expect(other).toMatchObject({ status: 422, body: { error: { code: 422 } } });
    expect((await send('taken', { text: 'one' }, { path: '/notes?x=1' })).status).toBe(422);
  });

  it('belongs to one person, organization and path', async () => {
    const [one, two, three, four] = [
      await send('shared', { text: 'x' }),
      await send('shared', { text: 'y' }, { user: users[1] }),
      await send('shared', { text: 'z' }, { organization: 'Organization00000001' }),
      await send('shared', {}, { path: '/notes/quiet' }),
    ];
    expect([one, two, three, four].map((answer) => [answer.status, answer.replayed])).toEqual([
      [201, null],
      [201, null],
      [201, null],
      [204, null],
    ]);
  });

  it('answers 409 while the first request is at work', async () => {
    const before = await count();
    let release = (): void => undefined;
    hold = new Promise((resolve) => (release = resolve));
    const first = send('busy', { text: 'slow' });
    let second = await send('busy', { text: 'slow' });
    while (second.status === 201) second = await send('busy', { text: 'slow' });
    expect(second).toMatchObject({ status: 409, body: { error: { code: 409 } } });
    release();
    hold = undefined;
    expect((await first).status).toBe(201);
    expect(await send('busy', { text: 'slow' })).toMatchObject({ status: 201, replayed: 'true' });
    expect(await count()).toBe(before + 1);
  });

  it('lets one of many at once through', async () => {
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 12 }, () => send('crowd', { text: 'c' })));
    expect(answers.every((answer) => answer.status === 201 || answer.status === 409)).toBe(true);
    expect(answers.filter((answer) => answer.status === 201 && answer.replayed === null)).toHaveLength(1);
    expect(await count()).toBe(before + 1);
  });

  it('stores no failures: neither the change nor the answer', async () => {
    const before = await count();
    expect((await send('fails', {})).status).toBe(400);
    expect((await send('fails', { text: 'f', fail: true })).status).toBe(500);
    expect(await count()).toBe(before);
    expect((await send('fails', { text: 'f' })).status).toBe(201);
  });

  it('never keeps secrets', async () => {
    const first = await send('token', {}, { path: '/notes/secret' });
    expect(first).toMatchObject({ status: 201, body: { token: 'only-shown-once' } });
    const second = await send('token', {}, { path: '/notes/secret' });
    expect(second.status).toBe(409);
    expect(JSON.stringify(second.body)).toContain(String(first.body?.['id']));
    expect(JSON.stringify(second.body)).not.toContain('only-shown-once');
    expect((await send('token', { other: true }, { path: '/notes/secret' })).status).toBe(422);
    await send('sealed', { text: 'very private text' });
    const rows = await database.query<{ response: Buffer | null }>('SELECT response FROM idempotency');
    expect(rows.some((row) => row.response === null)).toBe(true);
    expect(rows.some((row) => row.response !== null)).toBe(true);
    expect(rows.map((row) => row.response?.toString('latin1') ?? '').join()).not.toMatch(/private|shown-once/);
  });

  it('takes keys of 1 to 255 characters', async () => {
    expect((await send('k'.repeat(255), { text: 'long' })).status).toBe(201);
    expect((await send('k'.repeat(256), { text: 'long' })).body).toMatchObject({
      error: { code: 400, details: [{ path: 'Idempotency-Key' }] },
    });
    expect((await send('', { text: 'none' })).status).toBe(400);
  });

  it('is for POST by someone known only', async () => {
    const before = await count();
    await send('patch', {}, { method: 'PATCH' });
    await send('patch', {}, { method: 'PATCH' });
    expect(await count()).toBe(before + 2);
    expect((await send('anonymous', { text: 'a' }, { user: '' })).status).toBe(201);
    expect((await send('anonymous', { text: 'b' }, { user: '' })).status).toBe(201);
    expect(await count()).toBe(before + 4);
  });

  it('forgets after 24 hours', async () => {
    const first = await send('old', { text: 'old' });
    clock.advance(24 * HOUR - 1);
    expect((await send('old', { text: 'old' })).replayed).toBe('true');
    clock.advance(1);
    const again = await send('old', { text: 'other' });
    expect(again).toMatchObject({ status: 201, replayed: null });
    expect(again.body?.['id']).not.toBe(first.body?.['id']);
    clock.advance(24 * HOUR + 1);
    await new StaleRowsJob(database, clock).remove();
    expect(await database.query('SELECT key FROM idempotency')).toEqual([]);
  });
});
