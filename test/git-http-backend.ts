import { execFile, execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe } from '@jest/globals';
import type { Entry, Refs, RepositoryServer, ServedRepository } from './git-server.js';
import type { Identity } from './security/saml/certificates.js';

const run = promisify(execFile);
const NO_GIT = 'git is not installed, or lacks its http-backend';
/** Nobody's configuration changes what git does here. */
const ENV = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};
const AUTHOR = 'Test <test@example.com> 1700000000 +0000';

export function hasGit(): boolean {
  try {
    // Without a request the program says so, and ends well.
    execFileSync('git', ['http-backend'], { stdio: 'ignore', env: ENV });
    return true;
  } catch {
    return false;
  }
}

/** Describes what is done with git itself; where there is none, it says so and skips, or fails if REQUIRE_GIT is set. */
export function describeWithGit(title: string, tests: () => void): void {
  const isSkipped = !process.env['REQUIRE_GIT'] && !hasGit();
  if (isSkipped) process.stdout.write(`skipped: ${NO_GIT}\n`);
  (isSkipped ? describe.skip : describe)(title, tests);
}

/** A bare repository in a folder, which git itself reads and writes. */
export class FolderRepository implements ServedRepository {
  readonly refs: Refs;

  constructor(readonly folder: string) {
    const file = (ref: string): string => join(folder, ref);
    const refs: Refs = {
      get: (ref) => {
        try {
          return readFileSync(file(ref), 'utf8').trim();
        } catch {
          return undefined;
        }
      },
      set: (ref, oid) => {
        writeFileSync(file(ref), `${oid}\n`);
        return new Map();
      },
      delete: (ref) => {
        rmSync(file(ref));
        return true;
      },
    };
    this.refs = refs;
  }

  async git(...words: string[]): Promise<string> {
    const { stdout } = await run('git', ['--git-dir', this.folder, ...words], { env: ENV, maxBuffer: 512 * 1024 ** 2 });
    return stdout;
  }

  /** Commits these files on top of a branch, or, with `onto`, on top of another commit. */
  async commit(
    ref: string,
    message: string,
    files: Readonly<Record<string, Entry>>,
    onto = this.refs.get(ref),
  ): Promise<string> {
    const parts: (string | Uint8Array)[] = [`reset ${ref}\n\ncommit ${ref}\n`];
    parts.push(`author ${AUTHOR}\ncommitter ${AUTHOR}\n`, ...data(message));
    parts.push(onto === undefined ? '' : `from ${onto}\n`, 'deleteall\n');
    for (const [path, entry] of Object.entries(files)) parts.push(...modification(path, entry));
    await this.fastImport(parts);
    return this.refs.get(ref) ?? '';
  }

  /** Lets git read commits as `git fast-import` has them. */
  async fastImport(parts: readonly (string | Uint8Array)[]): Promise<void> {
    const child = spawn('git', ['--git-dir', this.folder, 'fast-import', '--force', '--quiet'], {
      env: ENV,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child.stdin.end(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))));
    const code = await new Promise((resolve) => child.on('close', resolve));
    if (code !== 0) throw new Error(`git fast-import ended with ${String(code)}`);
  }

  async blobs(oid: string): Promise<Map<string, string>> {
    const lines = (await this.git('ls-tree', '-r', '-z', '--full-tree', oid)).split('\0');
    return new Map(
      lines.flatMap((line) => {
        const [, blob = '', path = ''] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
        return path === '' ? [] : [[path, blob] as const];
      }),
    );
  }

  async files(oid: string): Promise<Record<string, string>> {
    const texts = [...(await this.blobs(oid))].map(
      async ([path, blob]) => [path, await this.git('cat-file', 'blob', blob)] as const,
    );
    return Object.fromEntries(await Promise.all(texts));
  }

  async commitAt(oid: string): ReturnType<ServedRepository['commitAt']> {
    const text = await this.git('cat-file', 'commit', oid);
    const [head = '', ...rest] = text.split('\n\n');
    const one = (name: string): string => new RegExp(`^${name} (.*)$`, 'm').exec(head)?.[1] ?? '';
    const person = (name: string) => {
      const [, who = '', email = '', timestamp = '0'] = /^(.*) <(.*)> (\d+) /.exec(one(name)) ?? [];
      return { name: who, email, timestamp: Number(timestamp), timezoneOffset: 0 };
    };
    return {
      message: rest.join('\n\n'),
      tree: one('tree'),
      parent: [...head.matchAll(/^parent (.*)$/gm)].map(([, parent = '']) => parent),
      author: person('author'),
      committer: person('committer'),
    };
  }
}

export function data(text: string | Uint8Array): (string | Uint8Array)[] {
  const bytes = Buffer.from(text);
  return [`data ${bytes.length}\n`, bytes, '\n'];
}

function modification(path: string, entry: Entry): (string | Uint8Array)[] {
  if (typeof entry === 'object' && 'submodule' in entry) return [`M 160000 ${entry.submodule} ${path}\n`];
  if (typeof entry === 'object' && 'link' in entry) return [`M 120000 inline ${path}\n`, ...data(entry.link)];
  return [`M 100644 inline ${path}\n`, ...data(entry)];
}

/** Makes a bare repository that takes only what is whole. */
export async function createRepository(folder: string): Promise<FolderRepository> {
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', folder], { env: ENV });
  const repository = new FolderRepository(folder);
  for (const [key, value] of [
    ['http.receivepack', 'true'],
    ['receive.autogc', 'false'],
    ['receive.fsckObjects', 'true'],
  ] as const)
    await repository.git('config', key, value);
  return repository;
}

/** Serves bare repositories by git's own program for that, `git http-backend`. */
export class GitHttpBackend implements RepositoryServer {
  /** `name:password` that every request must bring. */
  credentials: string | undefined;

  /** Awaited between the end of the program that has served a request, and its answer. */
  beforeAnswer: ((pathname: string) => Promise<void>) | undefined;

  /** Bytes of packs that were sent. */
  sent = 0;

  private constructor(
    private readonly server: Server,
    private readonly origin: string,
    readonly folder: string,
  ) {}

  /** Speaks https as `localhost` where it is given a certificate. */
  static async start(identity?: Identity): Promise<GitHttpBackend> {
    if (!hasGit()) throw new Error(NO_GIT);
    const server = identity
      ? createSecureServer({ key: identity.privateKey, cert: identity.certificate })
      : createServer();
    const origin = identity ? 'https://localhost' : 'http://127.0.0.1';
    const self = new GitHttpBackend(server, origin, await mkdtemp(join(tmpdir(), 'bindery-git-')));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void self.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return self;
  }

  get url(): string {
    return `${this.origin}:${(this.server.address() as AddressInfo).port}`;
  }

  create(name: string): Promise<FolderRepository> {
    return createRepository(join(this.folder, `${name}.git`));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Runs the program for a request as the Common Gateway Interface says (RFC 3875). */
  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wanted = this.credentials && `Basic ${Buffer.from(this.credentials).toString('base64')}`;
    if (request.headers.authorization !== wanted)
      return void response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
    const { pathname, search } = new URL(request.url ?? '/', this.url);
    const child = spawn('git', ['http-backend'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...ENV,
        GIT_PROJECT_ROOT: this.folder,
        GIT_HTTP_EXPORT_ALL: '1',
        REQUEST_METHOD: request.method,
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        ...(request.headers['content-length'] !== undefined && {
          CONTENT_LENGTH: request.headers['content-length'],
        }),
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_USER: 'test',
        REMOTE_ADDR: '127.0.0.1',
      },
    });
    // A program that has read enough closes its end.
    child.stdin.on('error', () => undefined);
    request.pipe(child.stdin);
    const parts: Buffer[] = [];
    for await (const part of child.stdout) parts.push(part as Buffer);
    const answer = Buffer.concat(parts);
    const end = answer.indexOf('\r\n\r\n');
    const headers = answer
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(/: */, 2) as [string, string]);
    await this.beforeAnswer?.(pathname);
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    if (pathname.endsWith('/git-upload-pack')) this.sent += answer.length - end - 4;
    response.end(answer.subarray(end + 4));
  }
}
