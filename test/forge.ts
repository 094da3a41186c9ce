import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ForgeApp } from './forge-app.js';
import { bitbucketAnswer } from './forge-bitbucket.js';
import { giteaAnswer } from './forge-gitea.js';
import { gitHubAnswer } from './forge-github.js';
import { gitLabAnswer } from './forge-gitlab.js';
import { GitHttpBackend, type FolderRepository } from './git-http-backend.js';
import type { Entry, RepositoryServer } from './git-server.js';

/** The account that owns all repositories. */
export const OWNER = 'team';

export interface ForgeRepo {
  readonly id: number;
  readonly name: string;
  readonly git: FolderRepository;
  readonly pulls: Pull[];
}

/** A pull request of a repository. */
export interface Pull {
  readonly number: number;
  title: string;
  body: string;
  /** The branch that it comes from. */
  readonly source: string;
  state: 'open' | 'closed' | 'merged';
  head: string;
  mergedAs?: string;
  readonly comments: { readonly id: number; text: string }[];
  readonly statuses: { readonly oid: string; readonly state: string; readonly text: string; readonly url: string }[];
}

/** A request to the API, without the path of the API itself. */
export interface ForgeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ForgeReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Api = (forge: Forge, request: ForgeRequest) => Promise<ForgeReply>;

/** The stand-in of each forge, by the path of its API on a server of one's own. */
const APIS: Readonly<Record<string, Api>> = {
  '/api/v3': gitHubAnswer,
  '/api/v4': gitLabAnswer,
  '/api/v1': giteaAnswer,
  '/2.0': bitbucketAnswer,
};

/** A stand-in for forges: repositories that git itself serves, and the APIs of the forges beside them. */
export class Forge implements RepositoryServer {
  credentials: string | undefined;
  /** The access token that the APIs and the repositories ask for. */
  readonly token = 'forge-t0ken';
  /** Its tokens are accepted beside that one. */
  readonly app = new ForgeApp();
  readonly repositories: ForgeRepo[] = [];
  /** Answers in the place of the API, where it gives one. */
  intercept: ((request: ForgeRequest) => ForgeReply | undefined | Promise<ForgeReply | undefined>) | undefined;

  private constructor(
    private readonly server: Server,
    private readonly backend: GitHttpBackend,
  ) {}

  static async start(): Promise<Forge> {
    const server = createServer();
    const self = new Forge(server, await GitHttpBackend.start());
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void self.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return self;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/${OWNER}`;
  }

  async create(name: string): Promise<FolderRepository> {
    const git = await this.backend.create(`${OWNER}/${name}`);
    this.repositories.push({ id: 1001 + this.repositories.length, name, git, pulls: [] });
    return git;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.backend.stop();
  }

  /** Opens a pull request with these files changed, on top of a commit of the branch. */
  async open(
    repo: ForgeRepo,
    {
      title,
      body = '',
      files,
      onto,
    }: { title: string; body?: string; files: Readonly<Record<string, Entry>>; onto?: string },
  ): Promise<Pull> {
    const pull = newPull(repo, { title, body, source: `topic-${repo.pulls.length + 1}` });
    await this.push(repo, pull, files, onto ?? repo.git.refs.get('refs/heads/main'));
    return pull;
  }

  /** Makes the refs of open pull requests lead to the last commits of their branches, as a forge does after each push. */
  async follow({ pulls, git }: ForgeRepo): Promise<void> {
    for (const pull of pulls) {
      const head = git.refs.get(`refs/heads/${pull.source}`);
      if (pull.state !== 'open' || head === undefined || head === pull.head) continue;
      pull.head = head;
      for (const ref of [`refs/pull/${pull.number}/head`, `refs/merge-requests/${pull.number}/head`])
        await git.git('update-ref', ref, head);
    }
  }

  /** Adds a commit to a pull request. */
  async push(repo: ForgeRepo, pull: Pull, files: Readonly<Record<string, Entry>>, onto = pull.head): Promise<void> {
    const ref = `refs/heads/${pull.source}`;
    pull.head = await repo.git.commit(ref, `${pull.title}\n`, { ...(await repo.git.files(onto)), ...files }, onto);
    await repo.git.git('update-ref', `refs/pull/${pull.number}/head`, pull.head);
    await repo.git.git('update-ref', `refs/merge-requests/${pull.number}/head`, pull.head);
  }

  /** Merges a pull request by a commit, as a click at the forge does. */
  async merge(repo: ForgeRepo, pull: Pull): Promise<string> {
    const as = ['-c', 'user.name=Forge', '-c', 'user.email=forge@example.com'];
    const main = repo.git.refs.get('refs/heads/main') ?? '';
    const tree = (await repo.git.git('merge-tree', '--write-tree', main, pull.head)).trim().split('\n')[0] ?? '';
    const parents = ['-p', main, '-p', pull.head];
    const commit = await repo.git.git(...as, 'commit-tree', tree, ...parents, '-m', `Merge #${pull.number}`);
    pull.mergedAs = commit.trim();
    pull.state = 'merged';
    await repo.git.git('update-ref', 'refs/heads/main', pull.mergedAs);
    return pull.mergedAs;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.origin);
    const [base, api] = Object.entries(APIS).find(([path]) => pathname.startsWith(`${path}/`)) ?? [];
    if (base === undefined || api === undefined) return this.forward(request, response);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    const asked: ForgeRequest = {
      method: request.method ?? 'GET',
      path: pathname.slice(base.length),
      query: searchParams,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
    for (const repo of this.repositories) await this.follow(repo);
    const { status, body, headers } = await this.reply(api, asked, request.headers.authorization ?? '');
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined || asked.method === 'HEAD' ? undefined : JSON.stringify(body));
  }

  private async reply(api: Api, asked: ForgeRequest, authorization: string): Promise<ForgeReply> {
    if (asked.path.startsWith('/app/')) return this.app.answer(asked.path, authorization);
    const token = authorization.replace(/^Bearer /, '');
    if (token !== this.token && !this.app.knows(token)) return { status: 401, body: { message: 'Bad credentials' } };
    // People have repositories; the installation of an app is given some.
    const isOfPeople = asked.path.startsWith('/user/');
    if (this.app.knows(token) ? isOfPeople : asked.path.startsWith('/installation/'))
      return { status: 403, body: { message: 'Resource not accessible by integration' } };
    return (await this.intercept?.(asked)) ?? (await api(this, asked));
  }

  /** Hands a request of git on to git's own program. */
  private forward(request: IncomingMessage, response: ServerResponse): void {
    const [, encoded = ''] = (request.headers.authorization ?? '').split(' ');
    const given = Buffer.from(encoded, 'base64').toString('utf8');
    const token = given.slice(given.indexOf(':') + 1);
    if (token !== this.token && !this.app.knows(token))
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    const { authorization: _, ...headers } = request.headers;
    const { method } = request;
    const onward = send(`${this.backend.url}${request.url ?? ''}`, { ...(method && { method }), headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }
}

/** Merges a pull request whose last commit is `head`, and answers with the commit on the branch. */
export async function mergedAt(forge: Forge, repo: ForgeRepo, pull: Pull, head: unknown): Promise<ForgeReply> {
  if (pull.state !== 'open') return { status: 405, body: { message: 'Pull Request is not mergeable' } };
  if (head !== pull.head) return { status: 409, body: { message: 'Head branch was modified' } };
  return { status: 200, body: { sha: await forge.merge(repo, pull) } };
}

type Comment = Pull['comments'][number];

/** Answers a request about comments: lists them, and makes or changes one, as a forge shows them. */
export function commented(
  pulls: readonly Pull[],
  { method, id, text }: { readonly method: string; readonly id?: string | undefined; readonly text: unknown },
  shown: (comment: Comment) => object,
  listed: (comments: object[]) => unknown,
): ForgeReply {
  const comments = pulls.flatMap((pull) => pull.comments);
  if (method === 'GET') return { status: 200, body: listed(comments.map(shown)) };
  const comment = id === undefined ? newComment(pulls[0]) : comments.find((each) => each.id === Number(id));
  if (!comment) return { status: 404, body: { message: 'Not Found' } };
  comment.text = String(text);
  return { status: id === undefined ? 201 : 200, body: shown(comment) };
}

function newComment(pull: Pull | undefined): Comment | undefined {
  if (!pull) return undefined;
  const comment = { id: pull.number * 1000 + pull.comments.length, text: '' };
  pull.comments.push(comment);
  return comment;
}

type PullWords = Pick<Pull, 'title' | 'body' | 'source'>;

function newPull({ pulls }: ForgeRepo, words: PullWords): Pull {
  const pull: Pull = { ...words, number: pulls.length + 1, state: 'open', head: '', comments: [], statuses: [] };
  pulls.push(pull);
  return pull;
}

/** Opens a pull request from a branch that is there; undefined where a forge refuses it. */
export async function openedFrom(forge: Forge, repo: ForgeRepo, words: PullWords): Promise<Pull | undefined> {
  const head = repo.git.refs.get(`refs/heads/${words.source}`);
  const isTaken = repo.pulls.some(({ state, source }) => state === 'open' && source === words.source);
  if (head === undefined || head === repo.git.refs.get('refs/heads/main') || isTaken) return undefined;
  const pull = newPull(repo, words);
  await forge.follow(repo);
  return pull;
}

/** Changes the words of a pull request that are given. */
export function renamed(pull: Pull, title: unknown, body: unknown): void {
  if (typeof title === 'string') pull.title = title;
  if (typeof body === 'string') pull.body = body;
}

/** The items of a page of a list. */
export function pageOf<Item>(items: readonly Item[], query: URLSearchParams, sizeName: string): Item[] {
  const size = Number(query.get(sizeName) ?? 30);
  const page = Number(query.get('page') ?? 1);
  return items.slice((page - 1) * size, page * size);
}

export async function branchesOf(git: FolderRepository): Promise<{ name: string; oid: string }[]> {
  const lines = (await git.git('for-each-ref', '--format=%(refname:strip=2) %(objectname)', 'refs/heads')).split('\n');
  return lines.filter(Boolean).map((line) => {
    const [name = '', oid = ''] = line.split(' ');
    return { name, oid };
  });
}

/** A file at a ref; undefined where there is none. */
export async function fileOf(
  git: FolderRepository,
  ref: string,
  path: string,
): Promise<{ sha: string; size: number } | undefined> {
  try {
    const sha = (await git.git('rev-parse', '--verify', '--quiet', `${ref}:${path}`)).trim();
    if ((await git.git('cat-file', '-t', sha)).trim() !== 'blob') return undefined;
    return { sha, size: Number(await git.git('cat-file', '-s', sha)) };
  } catch {
    return undefined;
  }
}
