import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import git from 'isomorphic-git';
import { MemoryFs } from '../src/authoring/interchange/git/memory-fs.js';

/** What a tree of a test repository holds at a path. */
export type Entry = string | Uint8Array | { readonly link: string } | { readonly submodule: string };

const AUTHOR = { name: 'Test', email: 'test@example.com', timestamp: 1_700_000_000, timezoneOffset: 0 };
const GITDIR = '/repository';
type Tree = Parameters<typeof git.writeTree>[0]['tree'];

/** The commits that refs point to. */
export type Refs = Pick<Map<string, string>, 'get' | 'set' | 'delete'>;

/** A repository that tests commit to and read. */
export interface ServedRepository {
  readonly refs: Refs;
  commit(ref: string, message: string, files: Readonly<Record<string, Entry>>): Promise<string>;
  files(oid: string): Promise<Record<string, string>>;
  blobs(oid: string): Promise<Map<string, string>>;
  commitAt(oid: string): ReturnType<TestRepository['commitAt']>;
}

/** A server of repositories. */
export interface RepositoryServer {
  readonly url: string;
  credentials: string | undefined;
  /** A new repository without commits at `<url>/<name>.git`. */
  create(name: string): Promise<ServedRepository>;
  stop(): Promise<void>;
}

/** A repository in memory; each commit has one tree and no parents, which is what a shallow clone sees anyway. */
export class TestRepository implements ServedRepository {
  private readonly fs = new MemoryFs(() => undefined);
  private readonly objects = new Map<string, Set<string>>();
  readonly refs = new Map<string, string>();

  static async create(): Promise<TestRepository> {
    const repository = new TestRepository();
    await git.init({ fs: repository.fs, gitdir: GITDIR, bare: true });
    return repository;
  }

  /** Commits these files and points `ref` to the commit; gives its id. */
  async commit(ref: string, message: string, files: Readonly<Record<string, Entry>>): Promise<string> {
    const objects = new Set<string>();
    const tree = await this.writeTree(files, objects);
    const oid = await git.writeCommit({
      fs: this.fs,
      gitdir: GITDIR,
      commit: { tree, parent: [], message, author: AUTHOR, committer: AUTHOR },
    });
    this.objects.set(oid, objects.add(oid));
    this.refs.set(ref, oid);
    return oid;
  }

  /** Takes a pack and points a branch to a commit in it. */
  async receive(ref: string, oid: string, pack: Buffer): Promise<void> {
    const filepath = `objects/pack/pack-${oid}.pack`;
    for (const folder of ['objects', 'objects/pack'])
      await this.fs.promises.mkdir(`${GITDIR}/${folder}`).catch(() => undefined);
    await this.fs.promises.writeFile(`${GITDIR}/${filepath}`, pack);
    await git.indexPack({ fs: this.fs, dir: GITDIR, gitdir: GITDIR, filepath });
    const { tree } = (await git.readCommit({ fs: this.fs, gitdir: GITDIR, oid })).commit;
    this.objects.set(oid, new Set([oid, ...(await this.below(tree))]));
    this.refs.set(ref, oid);
  }

  /** The files of a commit, and its symbolic links, by path. */
  async blobs(oid: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const read = async (tree: string, prefix: string): Promise<void> => {
      for (const entry of (await git.readTree({ fs: this.fs, gitdir: GITDIR, oid: tree })).tree) {
        if (entry.type === 'tree') await read(entry.oid, `${prefix}${entry.path}/`);
        else if (entry.type === 'blob') found.set(prefix + entry.path, entry.oid);
      }
    };
    await read(oid, '');
    return found;
  }

  /** Their texts. */
  async files(oid: string): Promise<Record<string, string>> {
    const texts = [...(await this.blobs(oid))].map(async ([path, blob]) => {
      const read = await git.readBlob({ fs: this.fs, gitdir: GITDIR, oid: blob });
      return [path, Buffer.from(read.blob).toString()] as const;
    });
    return Object.fromEntries(await Promise.all(texts));
  }

  async commitAt(oid: string) {
    return (await git.readCommit({ fs: this.fs, gitdir: GITDIR, oid })).commit;
  }

  private async below(tree: string): Promise<string[]> {
    const { tree: entries } = await git.readTree({ fs: this.fs, gitdir: GITDIR, oid: tree });
    const inner = await Promise.all(
      entries.map(async (entry) => (entry.type === 'tree' ? this.below(entry.oid) : [entry.oid])),
    );
    return [tree, ...inner.flat()];
  }

  async pack(oid: string): Promise<Uint8Array> {
    const { packfile } = await git.packObjects({
      fs: this.fs,
      gitdir: GITDIR,
      oids: [...(this.objects.get(oid) ?? [])],
    });
    return packfile ?? new Uint8Array();
  }

  private async writeTree(files: Readonly<Record<string, Entry>>, objects: Set<string>): Promise<string> {
    const folders = new Map<string, Record<string, Entry>>();
    const tree: Tree = [];
    for (const [path, entry] of Object.entries(files)) {
      const slash = path.indexOf('/');
      if (slash > 0)
        folders.set(path.slice(0, slash), { ...folders.get(path.slice(0, slash)), [path.slice(slash + 1)]: entry });
      else tree.push(await this.writeEntry(path, entry, objects));
    }
    for (const [path, inner] of folders)
      tree.push({ mode: '040000', path, type: 'tree', oid: await this.writeTree(inner, objects) });
    const oid = await git.writeTree({ fs: this.fs, gitdir: GITDIR, tree });
    objects.add(oid);
    return oid;
  }

  private async writeEntry(path: string, entry: Entry, objects: Set<string>): Promise<Tree[number]> {
    if (typeof entry === 'object' && 'submodule' in entry)
      return { mode: '160000', path, type: 'commit', oid: entry.submodule };
    const link = typeof entry === 'object' && 'link' in entry;
    const bytes = typeof entry === 'string' ? Buffer.from(entry) : link ? Buffer.from(entry.link) : entry;
    const oid = await git.writeBlob({ fs: this.fs, gitdir: GITDIR, blob: bytes });
    objects.add(oid);
    return { mode: link ? '120000' : '100644', path, type: 'blob', oid };
  }
}

/** Serves repositories by git's smart protocol (version 1) at `<base>/<name>.git`. */
export class GitServer implements RepositoryServer {
  private readonly repositories = new Map<string, TestRepository>();
  /** Answers in place of the protocol, by path; for servers that misbehave. */
  readonly answers = new Map<string, (response: ServerResponse) => void>();
  readonly requests: string[] = [];
  /** `name:password` that every request must bring. */
  credentials: string | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<GitServer> {
    const server = createServer();
    const self = new GitServer(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void self.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return self;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  serve(name: string, repository: TestRepository): void {
    this.repositories.set(name, repository);
  }

  async create(name: string): Promise<TestRepository> {
    const repository = await TestRepository.create();
    this.serve(name, repository);
    return repository;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    this.requests.push(`${request.method ?? ''} ${pathname}`);
    const own = this.answers.get(pathname);
    if (own) return own(response);
    const [, name = '', service = ''] =
      /^\/([\w-]+)\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(pathname) ?? [];
    const repository = this.repositories.get(name);
    if (!repository) return void response.writeHead(404).end();
    const wanted =
      this.credentials === undefined ? undefined : `Basic ${Buffer.from(this.credentials).toString('base64')}`;
    if (request.headers.authorization !== wanted) return void response.writeHead(401).end();
    if (service === 'info/refs')
      return this.advertise(
        repository,
        new URL(request.url ?? '/', this.url).searchParams.get('service') ?? '',
        response,
      );
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (service === 'git-receive-pack') return this.receive(repository, Buffer.concat(chunks), response);
    await this.upload(repository, Buffer.concat(chunks).toString(), response);
  }

  private advertise(repository: TestRepository, service: string, response: ServerResponse): void {
    const head = repository.refs.get('refs/heads/main');
    if (service === 'git-receive-pack') {
      const known = [...repository.refs].map(([ref, oid]) => `${oid} ${ref}`);
      const [first = `${'0'.repeat(40)} capabilities^{}`, ...rest] = known;
      response.writeHead(200, { 'Content-Type': 'application/x-git-receive-pack-advertisement' });
      response.end(
        `${line('# service=git-receive-pack\n')}0000${line(`${first}\0report-status side-band-64k no-thin agent=test\n`)}${rest.map((each) => line(`${each}\n`)).join('')}0000`,
      );
      return;
    }
    const capabilities = 'side-band-64k shallow no-done ofs-delta symref=HEAD:refs/heads/main agent=test';
    const refs = [...repository.refs].map(([ref, oid]) => line(`${oid} ${ref}\n`)).join('');
    response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-advertisement' });
    response.end(
      `${line('# service=git-upload-pack\n')}0000${line(`${head ?? '0'.repeat(40)} ${head === undefined ? 'capabilities^{}' : 'HEAD'}\0${capabilities}\n`)}${refs}0000`,
    );
  }

  private async receive(repository: TestRepository, body: Buffer, response: ServerResponse): Promise<void> {
    const [, from = '', to = '', ref = ''] =
      /^.{4}([0-9a-f]{40}) ([0-9a-f]{40}) ([^\0\n]+)/.exec(body.toString('latin1', 0, 500)) ?? [];
    response.writeHead(200, { 'Content-Type': 'application/x-git-receive-pack-result' });
    const isCurrent = (repository.refs.get(ref) ?? '0'.repeat(40)) === from;
    if (isCurrent) await repository.receive(ref, to, body.subarray(body.indexOf('PACK')));
    response.end(
      `${line(`\u0001${line('unpack ok\n')}${line(isCurrent ? `ok ${ref}\n` : `ng ${ref} fetch first\n`)}0000`)}0000`,
    );
  }

  private async upload(repository: TestRepository, body: string, response: ServerResponse): Promise<void> {
    const wanted = /want ([0-9a-f]{40})/.exec(body)?.[1] ?? '';
    const pack = Buffer.from(await repository.pack(wanted));
    response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-result' });
    if (body.includes('deepen')) response.write(`${line(`shallow ${wanted}\n`)}0000`);
    response.write(line('NAK\n'));
    for (let at = 0; at < pack.length; at += 60_000) {
      const part = pack.subarray(at, at + 60_000);
      response.write(
        Buffer.concat([Buffer.from((part.length + 5).toString(16).padStart(4, '0')), Buffer.from([1]), part]),
      );
    }
    response.end('0000');
  }
}

function line(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;
}
