import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { toDomainError } from '../../src/kernel/common/error.filter.js';
import { DomainError } from '../../src/kernel/common/errors.js';
import { infrastructureFaultOf } from '../../src/kernel/common/infrastructure-fault.js';
import { OutboundError } from '../../src/kernel/platform/outbound/outbound-error.js';
import { FileStorage } from '../../src/kernel/platform/storage/file-storage.js';
import { S3Storage } from '../../src/kernel/platform/storage/s3-storage.js';
import { StorageProbe } from '../../src/kernel/platform/storage/storage-probe.js';
import { useApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import { usePublicListener } from '../published-site.js';

const app = useApp();
const listener = usePublicListener(app);

const coded = (code: string, more: object = {}): Error =>
  Object.assign(new Error(`a secret detail of ${code}`), { code, ...more });

function expectUnavailable(fault: unknown): void {
  const error = toDomainError(fault);
  expect([error?.status, Number(error?.headers['Retry-After']) >= 1]).toEqual([503, true]);
  expect(error?.message).not.toContain('secret detail');
}

describe('a fault of the machinery', () => {
  it.each([
    ...[
      '08000',
      '08001',
      '08003',
      '08006',
      '08P01',
      '25006',
      '25P03',
      '28000',
      '28P01',
      '3D000',
      '40001',
      '40P01',
      '53000',
      '53100',
      '53200',
      '53300',
      '53400',
    ],
    ...['55P03', '57000', '57014', '57P01', '57P02', '57P03', '57P04', '57P05', '58000', '58030'],
  ])('is SQLSTATE %s', (code) => {
    expectUnavailable(coded(code));
    expectUnavailable(new QueryFailedError('SELECT 1', [], coded(code)));
  });

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EROFS',
    'EIO',
    'EACCES',
    'EPERM',
    'EMFILE',
    'ENFILE',
    'ENOSPC',
    'EDQUOT',
    'ESTALE',
  ])('is %s', (code) => {
    expectUnavailable(coded(code));
    expectUnavailable(new Error('it went wrong', { cause: coded(code) }));
    // What Node says when it has tried all addresses of a host.
    expectUnavailable(new AggregateError([coded('ECONNREFUSED'), coded(code)]));
  });

  it.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'timeout exceeded when trying to connect',
    'Cannot use a pool after calling end on the pool',
  ])('is what pg says without a code: %s', (message) => expectUnavailable(new Error(message)));

  it('is a transaction whose connection was taken away, the missing socket of a database, and credentials that are nowhere', () => {
    expectUnavailable(new QueryRunnerAlreadyReleasedError());
    expectUnavailable(coded('ENOENT', { syscall: 'connect' }));
    expectUnavailable(Object.assign(new Error('no credentials'), { name: 'CredentialsProviderError' }));
  });

  it.each([
    [{}, true],
    [{ httpStatusCode: 500 }, true],
    [{ httpStatusCode: 503 }, true],
    [{ httpStatusCode: 429 }, true],
    [{ httpStatusCode: 403 }, true],
    [{ httpStatusCode: 400 }, false],
    [{ httpStatusCode: 416 }, false],
  ])('is an answer of the object storage with %j: %s', (metadata, isFault) => {
    expect(infrastructureFaultOf(Object.assign(new Error('S3'), { $metadata: metadata })) !== undefined).toBe(isFault);
  });

  it.each([
    ['a program that is wrong', new TypeError('undefined is not a function')],
    ['a file that is not there', coded('ENOENT', { syscall: 'open' })],
    ['a path that is too long', coded('ENAMETOOLONG')],
    ['a statement that is wrong', new QueryFailedError('SELEC', [], coded('42601'))],
    ['a transaction that failed before', coded('25P02')],
    ['a corrupted table', coded('XX001')],
    [
      'an address of a caller that cannot be resolved',
      new OutboundError('failed', 'the host could not be found', { cause: coded('ENOTFOUND') }),
    ],
    [
      'what comes of such an address',
      new Error('not fetched', { cause: new OutboundError('failed', 'x', { cause: coded('ECONNREFUSED') }) }),
    ],
    [
      'an error that stands behind itself',
      Object.assign(new Error('circle'), {
        get cause(): unknown {
          return this;
        },
      }),
    ],
    ['nothing', undefined],
  ])('is not %s', (_, thrown) => {
    expect(infrastructureFaultOf(thrown)).toBeUndefined();
    expect(toDomainError(thrown)?.status).not.toBe(503);
  });

  it('leaves an error of the domain what it is', () =>
    expect(toDomainError(new DomainError('conflict', 'no'))).toMatchObject({ status: 409 }));
});

describe('a file storage that is full, read-only or away', () => {
  let workspace: Workspace;
  let space: string;
  const healthy: Partial<Pick<FileStorage, 'place' | 'get' | 'spool'>> = {};

  const storage = (): FileStorage => app.current.nest.get(FileStorage);

  beforeAll(async () => {
    workspace = await buildOrganization(app.current);
    space = (
      await workspace.admin.api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, {
        title: 'Files',
        empty: true,
        editMode: 'live',
      })
    ).body.id;
    const own = storage();
    Object.assign(healthy, { place: own.place.bind(own), get: own.get.bind(own), spool: own.spool.bind(own) });
  });
  afterEach(() => void Object.assign(storage(), healthy));

  /** A request of its own: the client of the tests takes every 5xx for a failure. */
  const post = (path: string, body: object) =>
    fetch(`${app.current.url}/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${workspace.admin.api.token ?? ''}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const insert = (name: string) =>
    post(`/spaces/${space}/content`, {
      changes: [
        {
          operation: 'insert_files',
          files: [{ name, contentType: 'text/plain', base64: Buffer.from(name).toString('base64') }],
        },
      ],
    });
  const fail = (part: keyof typeof healthy, error: Error) =>
    void Object.assign(storage(), { [part]: () => Promise.reject(error) });

  it.each(['EROFS', 'EIO', 'EACCES', 'EMFILE', 'ENOSPC'])(
    'refuses writes with 503 for %s, and reads go on',
    async (code) => {
      for (const part of ['spool', 'place'] as const) {
        fail(part, coded(code, { path: '/secret detail' }));
        const answer = await insert(`${code}-${part}`);
        expect([answer.status, Number(answer.headers.get('retry-after')) >= 1]).toEqual([503, true]);
        expect(await answer.text()).not.toContain('secret');
        Object.assign(storage(), healthy);
      }
      expect((await workspace.admin.api.get(`/spaces/${space}/content/files`)).status).toBe(200);
      expect((await insert(`${code}-after`)).status).toBe(200);
    },
  );

  it('answers 503 on the listener of files too, and 404 as ever for bytes that are gone', async () => {
    const made = (await (await insert('read.txt')).json()) as { insertedFiles?: { downloadURL: string }[] };
    const address = made.insertedFiles?.[0]?.downloadURL ?? '';
    for (const code of ['EIO', 'EACCES']) {
      fail('get', coded(code));
      const answer = await fetch(address);
      expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual([
        503,
        '30',
        'no-store',
      ]);
    }
    fail('get', new DomainError('notFound', 'File not found'));
    expect((await fetch(address)).status).toBe(404);
    Object.assign(storage(), healthy);
    expect((await fetch(address)).status).toBe(200);
    expect((await listener.see('/nothing')).status).toBe(404);
  });

  it('makes the server not ready, which says why, tries seldom, and is ready again', async () => {
    const probe = app.current.nest.get(StorageProbe);
    /** As if the last look were long ago. */
    const forget = () => void Object.assign(probe, { last: undefined });
    const ready = async () => {
      const answer = await fetch(`${app.current.url}/readyz`);
      return [answer.status, ((await answer.json()) as { error?: { message: string } }).error?.message];
    };
    forget();
    expect(await ready()).toEqual([200, undefined]);
    let tried = 0;
    const place = () => {
      tried++;
      return Promise.reject(coded('EROFS'));
    };
    Object.assign(storage(), { place });
    expect(await ready()).toEqual([200, undefined]);
    forget();
    for (let i = 0; i < 5; i++)
      expect(await ready()).toEqual([503, 'Not ready: the file storage accepts no writes at the moment (EROFS)']);
    expect(tried).toBe(1);
    Object.assign(storage(), healthy);
    forget();
    let answered = (): void => undefined;
    Object.assign(storage(), { get: () => new Promise((_, reject) => (answered = () => reject(coded('EIO')))) });
    for (let i = 0; i < 2; i++) expect(await ready()).toEqual([503, 'Not ready: the file storage does not answer']);
    answered();
    expect(await ready()).toEqual([503, 'Not ready: the file storage cannot be used (EIO)']);
    Object.assign(storage(), healthy);
    forget();
    expect(await ready()).toEqual([200, undefined]);
  }, 20_000);
});

describe('an object storage that fails', () => {
  let folder: string;
  let server: Server;
  let status = 500;
  let storage: S3Storage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-s3-'));
    server = createServer((request, response) => {
      request.resume();
      if (status === 0) return;
      if (status === 1) return void request.socket.destroy();
      response
        .writeHead(status, { 'Content-Type': 'application/xml' })
        .end(status === 404 ? '<Error><Code>NoSuchBucket</Code></Error>' : '<Error><Code>InternalError</Code></Error>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    storage = new S3Storage(
      {
        s3Endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        s3Region: 'us-east-1',
        s3Bucket: 'files',
        s3AccessKeyId: 'a',
        s3SecretAccessKey: 'b',
        s3ForcePathStyle: true,
      },
      300,
    );
  });
  afterAll(async () => {
    storage.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  it.each([
    ['500', 500],
    ['503', 503],
    ['403', 403],
    ['a bucket that is gone', 404],
    ['nothing', 0],
    ['a connection that breaks', 1],
  ])(
    'with %s is unavailable to whoever reads, writes or asks',
    async (_, answer) => {
      status = answer;
      const hash = 'a'.repeat(64);
      for (const asked of [
        () => storage.put(Buffer.from('x')),
        async () => buffer(await storage.get(hash)),
        () => storage.remove(hash),
      ]) {
        const error: unknown = await asked().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(toDomainError(error)).toMatchObject({
          status: 503,
          message: 'The file storage cannot be used',
          headers: { 'Retry-After': '30' },
        });
      }
      expect(await new StorageProbe(storage).problem()).toMatch(
        /^the file storage (cannot be used \(|does not answer)/,
      );
    },
    30_000,
  );

  it('nobody listens at is unavailable', async () => {
    const gone = new S3Storage(
      {
        s3Endpoint: 'http://127.0.0.1:9',
        s3Region: 'us-east-1',
        s3Bucket: 'files',
        s3AccessKeyId: 'a',
        s3SecretAccessKey: 'b',
        s3ForcePathStyle: true,
      },
      300,
    );
    expect(await gone.put(Buffer.from('x')).then(() => undefined, toDomainError)).toMatchObject({
      status: 503,
      message: 'The file storage cannot be used',
    });
    gone.close();
  });
});
