import {
  commented,
  mergedAt,
  openedFrom,
  OWNER,
  renamed,
  type Forge,
  type ForgeReply,
  type ForgeRepo,
  type ForgeRequest,
  type Pull,
} from './forge.js';

const NOTHING: ForgeReply = { status: 404, body: { type: 'error', error: { message: 'Not found' } } };

/** Answers as version 2.0 of the API of Bitbucket Cloud does. */
export async function bitbucketAnswer(forge: Forge, request: ForgeRequest): Promise<ForgeReply> {
  const [, name, rest = ''] = /^\/repositories\/team\/([^/]+)\/(.+)$/.exec(request.path) ?? [];
  const repo = forge.repositories.find((each) => each.name === name);
  if (!repo) return NOTHING;
  const { method, body } = request;
  const [, range] = /^merge-base\/(.+)$/.exec(rest) ?? [];
  if (range !== undefined)
    return { status: 200, body: { hash: (await repo.git.git('merge-base', ...range.split('..'))).trim() } };
  const [, oid, build] = /^commit\/(\w+)(\/statuses\/build)?$/.exec(rest) ?? [];
  if (build !== undefined) return status(repo, oid ?? '', body);
  if (oid !== undefined) return { status: 200, body: { hash: (await repo.git.git('rev-parse', oid)).trim() } };
  if (rest === 'pullrequests' && method === 'POST') {
    const { title, description, source } = body as { title: string; description: string; source: Named };
    const made = await openedFrom(forge, repo, { title, body: description, source: source.branch.name });
    return made ? { status: 201, body: shown(repo, made) } : { status: 400, body: { type: 'error' } };
  }
  if (rest === 'pullrequests') {
    const open = repo.pulls.filter(({ state }) => state === 'open').map((each) => shown(repo, each));
    return { status: 200, body: { values: Number(request.query.get('page') ?? 1) === 1 ? open : [] } };
  }
  const [, number, part, id] = /^pullrequests\/(\d+)(?:\/(comments|merge|decline))?(?:\/(\d+))?$/.exec(rest) ?? [];
  const pull = repo.pulls.find((each) => each.number === Number(number));
  if (!pull) return NOTHING;
  if (part === 'comments') {
    const { raw } = (body['content'] ?? {}) as { raw?: string };
    return commented([pull], { method, id, text: raw }, shownComment, (values) => ({ values }));
  }
  if (part === undefined && method === 'PUT') renamed(pull, body['title'], body['description']);
  if (part === 'decline') pull.state = 'closed';
  if (part === 'merge') {
    const { status: merged } = await mergedAt(forge, repo, pull, pull.head);
    if (merged !== 200) return { status: merged, body: {} };
  }
  return { status: 200, body: shown(repo, pull) };
}

interface Named {
  readonly branch: { readonly name: string };
}

function shownComment({ id, text }: Pull['comments'][number]): object {
  return { id, deleted: false, content: { raw: text } };
}

function status({ pulls }: ForgeRepo, oid: string, body: ForgeRequest['body']): ForgeReply {
  const { key = '', state = '', description = '', url = '' } = body as Record<string, string>;
  if (key === '' || !/^(INPROGRESS|SUCCESSFUL|FAILED|STOPPED)$/.test(state)) return { status: 400, body: {} };
  pulls.find(({ head }) => head === oid)?.statuses.push({ oid, state, text: description, url });
  return { status: 201, body: { key, state } };
}

/** Commits are named by their first letters. */
function shown({ name }: ForgeRepo, pull: Pull): object {
  return {
    id: pull.number,
    state: { open: 'OPEN', closed: 'DECLINED', merged: 'MERGED' }[pull.state],
    title: pull.title,
    summary: { raw: pull.body },
    author: { nickname: 'octocat', display_name: 'Octo Cat' },
    links: { html: { href: `https://bitbucket.example.com/${OWNER}/${name}/pull-requests/${pull.number}` } },
    source: {
      commit: { hash: pull.head.slice(0, 12) },
      branch: { name: pull.source },
      repository: { full_name: `${OWNER}/${name}` },
    },
    destination: { branch: { name: 'main' } },
    merge_commit: pull.mergedAs === undefined ? null : { hash: pull.mergedAs.slice(0, 12) },
  };
}
