import {
  branchesOf,
  commented,
  fileOf,
  mergedAt,
  openedFrom,
  OWNER,
  pageOf,
  renamed,
  type Forge,
  type ForgeReply,
  type ForgeRepo,
  type ForgeRequest,
  type Pull,
} from './forge.js';

const NOTHING: ForgeReply = { status: 404, body: { message: 'Not Found' } };

/** The parameter with the size of a page: that of GitHub, and that of Gitea. */
const SIZES = ['per_page', 'limit'];
const sizeOf = (query: URLSearchParams): string => SIZES.find((name) => query.has(name)) ?? 'per_page';

/** Answers as the REST API of GitHub does, of the version 2022-11-28. */
export async function gitHubAnswer(forge: Forge, request: ForgeRequest): Promise<ForgeReply> {
  const { method, path, query } = request;
  if (method === 'GET' && path === '/user/repos')
    return { status: 200, body: pageOf(forge.repositories, query, 'per_page').map((each) => repository(forge, each)) };
  if (method === 'GET' && path === '/installation/repositories') {
    const repositories = pageOf(forge.repositories, query, 'per_page').map((each) => repository(forge, each));
    return { status: 200, body: { total_count: forge.repositories.length, repositories } };
  }
  const [, id] = /^\/repositories\/(\d+)$/.exec(path) ?? [];
  const byId = forge.repositories.find((each) => each.id === Number(id));
  if (byId) return { status: 200, body: repository(forge, byId) };
  const [, name, rest = ''] = /^\/repos\/team\/([^/]+)\/(.+)$/.exec(path) ?? [];
  const found = forge.repositories.find((each) => each.name === name);
  if (!found) return NOTHING;
  const known = await pullAnswer(forge, found, request, rest);
  if (known || method !== 'GET') return known ?? NOTHING;
  if (rest === 'branches') {
    const branches = (await branchesOf(found.git)).map((each) => ({
      name: each.name,
      commit: { sha: each.oid, url: `${forge.origin}/commits/${each.oid}` },
      protected: false,
    }));
    return { status: 200, body: pageOf(branches, query, 'per_page') };
  }
  const [, encoded] = /^contents\/(.+)$/.exec(rest) ?? [];
  return encoded === undefined ? NOTHING : contents(found, decodeURIComponent(encoded), query.get('ref') ?? 'main');
}

async function contents({ git }: ForgeRepo, path: string, ref: string): Promise<ForgeReply> {
  const file = await fileOf(git, ref, path);
  if (!file) return NOTHING;
  return {
    status: 200,
    body: { type: 'file', encoding: 'none', content: '', name: path.split('/').at(-1), path, ...file },
  };
}

function repository(forge: Forge, { id, name }: ForgeRepo): object {
  return {
    id,
    name,
    full_name: `${OWNER}/${name}`,
    owner: { login: OWNER, id: 1, type: 'Organization' },
    private: true,
    clone_url: `${forge.url}/${name}.git`,
    default_branch: 'main',
    permissions: { admin: false, push: !name.startsWith('foreign'), pull: true },
  };
}

/** Answers requests about pull requests; undefined for any other request. */
async function pullAnswer(
  forge: Forge,
  repo: ForgeRepo,
  { method, query, body }: ForgeRequest,
  rest: string,
): Promise<ForgeReply | undefined> {
  const [, kind, id, part] = /^(pulls|issues|statuses|compare)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(rest) ?? [];
  if (kind === undefined) return undefined;
  if (kind === 'pulls' && id === undefined && method === 'POST') {
    const { title = '', body: text = '', head: source = '' } = body as Record<string, string>;
    const made = await openedFrom(forge, repo, { title, body: text, source });
    return made
      ? { status: 201, body: shown(forge, repo, made) }
      : { status: 422, body: { message: 'Validation Failed' } };
  }
  if (kind === 'pulls' && id === undefined) {
    const open = repo.pulls.filter(({ state }) => state === 'open').map((each) => shown(forge, repo, each));
    return { status: 200, body: pageOf(open, query, sizeOf(query)) };
  }
  if (kind === 'statuses') return status(repo, id ?? '', body);
  if (kind === 'compare') return compared(repo, id ?? '');
  if (id === 'comments')
    return commented(repo.pulls, { method, id: part, text: body['body'] }, shownComment, (all) => all);
  const pull = repo.pulls.find(({ number }) => number === Number(id));
  if (!pull) return NOTHING;
  if (part === 'comments')
    return commented([pull], { method, text: body['body'] }, shownComment, (all) => pageOf(all, query, sizeOf(query)));
  if (part === 'merge') return method === 'PUT' ? mergedAt(forge, repo, pull, body['sha']) : { status: 404, body: {} };
  if (body['state'] === 'closed') pull.state = 'closed';
  if (method === 'PATCH') renamed(pull, body['title'], body['body']);
  return { status: 200, body: shown(forge, repo, pull) };
}

function shown(forge: Forge, { name }: ForgeRepo, pull: Pull): object {
  return {
    number: pull.number,
    state: pull.state === 'open' ? 'open' : 'closed',
    title: pull.title,
    body: pull.body,
    user: { login: 'octocat' },
    html_url: `${forge.url}/${name}/pull/${pull.number}`,
    head: { ref: pull.source, sha: pull.head, repo: { full_name: `${OWNER}/${name}` } },
    base: { ref: 'main', repo: { full_name: `${OWNER}/${name}` } },
    merged_at: pull.state === 'merged' ? '2026-01-01T00:00:00Z' : null,
    merge_commit_sha: pull.mergedAs ?? null,
  };
}

function status({ pulls }: ForgeRepo, oid: string, body: ForgeRequest['body']): ForgeReply {
  const { state, description, target_url: url } = body as Record<string, string>;
  if (!/^(error|failure|pending|success)$/.test(state ?? '')) return { status: 422, body: {} };
  const pull = pulls.find(({ head }) => head === oid);
  pull?.statuses.push({ oid, state: state ?? '', text: description ?? '', url: url ?? '' });
  return { status: 201, body: { state } };
}

async function compared({ git }: ForgeRepo, names: string): Promise<ForgeReply> {
  const [base = '', head = ''] = names.split('...');
  return { status: 200, body: { merge_base_commit: { sha: (await git.git('merge-base', base, head)).trim() } } };
}

function shownComment({ id, text }: Pull['comments'][number]): object {
  return { id, body: text, user: { login: 'robot' } };
}
