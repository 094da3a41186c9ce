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

const NOTHING: ForgeReply = { status: 404, body: { message: '404 Project Not Found' } };

/** Answers as version 4 of the REST API of GitLab does. */
export async function gitLabAnswer(forge: Forge, request: ForgeRequest): Promise<ForgeReply> {
  const { path, query } = request;
  if (path === '/projects')
    return { status: 200, body: pageOf(forge.repositories, query, 'per_page').map((each) => project(forge, each)) };
  const [, encoded = '', rest] = /^\/projects\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  const named = decodeURIComponent(encoded);
  const found = forge.repositories.find(({ id, name }) => String(id) === named || `${OWNER}/${name}` === named);
  if (!found) return NOTHING;
  if (rest === undefined) return { status: 200, body: project(forge, found) };
  const known = await mergeRequestAnswer(forge, found, request, rest);
  if (known) return known;
  if (rest === 'repository/branches') {
    const branches = (await branchesOf(found.git)).map(({ name, oid }) => ({
      name,
      commit: { id: oid },
      merged: false,
    }));
    return { status: 200, body: pageOf(branches, query, 'per_page') };
  }
  const [, file] = /^repository\/files\/(.+)$/.exec(rest) ?? [];
  return file === undefined ? NOTHING : fileHeaders(found, decodeURIComponent(file), query.get('ref') ?? '');
}

async function fileHeaders({ git }: ForgeRepo, path: string, ref: string): Promise<ForgeReply> {
  const file = await fileOf(git, ref, path);
  if (!file) return { status: 404, body: { message: '404 File Not Found' } };
  const headers = {
    'x-gitlab-blob-id': file.sha,
    'x-gitlab-file-name': path.split('/').at(-1) ?? '',
    'x-gitlab-file-path': path,
    'x-gitlab-ref': ref,
    'x-gitlab-size': String(file.size),
  };
  return { status: 200, headers };
}

function project(forge: Forge, { id, name }: ForgeRepo): object {
  return {
    id,
    name,
    path: name,
    path_with_namespace: `${OWNER}/${name}`,
    default_branch: 'main',
    http_url_to_repo: `${forge.url}/${name}.git`,
    web_url: `${forge.url}/${name}`,
  };
}

/** Answers requests about merge requests; undefined for any other request. */
async function mergeRequestAnswer(
  forge: Forge,
  repo: ForgeRepo,
  { method, query, body }: ForgeRequest,
  rest: string,
): Promise<ForgeReply | undefined> {
  if (rest === 'merge_requests' && method === 'POST') {
    const { title = '', description = '', source_branch: source = '' } = body as Record<string, string>;
    const made = await openedFrom(forge, repo, { title, body: description, source });
    return made
      ? { status: 201, body: shown(made) }
      : { status: 409, body: { message: ['Another open merge request'] } };
  }
  if (rest === 'merge_requests') {
    const open = repo.pulls.filter(({ state }) => state === 'open' && query.get('state') === 'opened');
    return { status: 200, body: pageOf(open.map(shown), query, 'per_page') };
  }
  if (rest === 'repository/merge_base') {
    const [base = '', head = ''] = query.getAll('refs[]');
    return { status: 200, body: { id: (await repo.git.git('merge-base', base, head)).trim() } };
  }
  const [, oid] = /^statuses\/(\w+)$/.exec(rest) ?? [];
  if (oid !== undefined) return status(repo, oid, body);
  const [, number, part, id] = /^merge_requests\/(\d+)(?:\/(notes|merge))?(?:\/(\d+))?$/.exec(rest) ?? [];
  if (number === undefined) return undefined;
  const pull = repo.pulls.find((each) => each.number === Number(number));
  if (!pull) return NOTHING;
  if (part === 'merge') return { ...(await mergedAt(forge, repo, pull, body['sha'])), body: shown(pull) };
  if (part === undefined) {
    if (method === 'PUT' && body['state_event'] === 'close') pull.state = 'closed';
    if (method === 'PUT') renamed(pull, body['title'], body['description']);
    return { status: 200, body: shown(pull) };
  }
  const note = (each: Pull['comments'][number]) => ({ id: each.id, body: each.text, system: false });
  return commented([pull], { method, id, text: body['body'] }, note, (notes) => pageOf(notes, query, 'per_page'));
}

/** The same state for the same commit is refused. */
function status({ pulls }: ForgeRepo, oid: string, body: ForgeRequest['body']): ForgeReply {
  const { state = '', description = '', target_url: url = '' } = body as Record<string, string>;
  const pull = pulls.find(({ head }) => head === oid);
  const isKnown = /^(pending|running|success|failed|canceled)$/.test(state);
  if (!pull || !isKnown || pull.statuses.some((each) => each.oid === oid && each.state === state))
    return { status: 400, body: { message: 'Cannot transition status' } };
  pull.statuses.push({ oid, state, text: description, url });
  return { status: 201, body: { status: state } };
}

function shown(pull: Pull): object {
  return {
    iid: pull.number,
    state: pull.state === 'open' ? 'opened' : pull.state,
    title: pull.title,
    description: pull.body,
    author: { username: 'octocat' },
    web_url: `https://gitlab.example.com/-/merge_requests/${pull.number}`,
    sha: pull.head,
    source_branch: pull.source,
    source_project_id: 1,
    target_project_id: 1,
    target_branch: 'main',
    merge_commit_sha: pull.mergedAs ?? null,
    squash_commit_sha: null,
  };
}
