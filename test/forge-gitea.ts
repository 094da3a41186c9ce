import { gitHubAnswer } from './forge-github.js';
import { mergedAt, type Forge, type ForgeReply, type ForgeRequest } from './forge.js';

/** Answers as version 1 of the API of Gitea and Forgejo does, which is that of GitHub in much of what is asked. */
export async function giteaAnswer(forge: Forge, request: ForgeRequest): Promise<ForgeReply> {
  const { method, path, body, query } = request;
  // It knows neither the size of pages by this name nor a filter by branch.
  if (query.has('per_page')) return { status: 422, body: { message: 'unknown parameter' } };
  const [, name, number] = /^\/repos\/team\/([^/]+)\/pulls\/(\d+)\/merge$/.exec(path) ?? [];
  const repo = forge.repositories.find((each) => each.name === name);
  const pull = repo?.pulls.find((each) => each.number === Number(number));
  if (repo && pull) {
    if (method !== 'POST') return { status: 405, body: {} };
    const { status } = await mergedAt(forge, repo, pull, body['Do'] === 'merge' && body['head_commit_id']);
    return { status };
  }
  const answer = await gitHubAnswer(forge, request);
  return { ...answer, body: await withMergeBase(forge, answer.body) };
}

/** Pull requests tell where they have left their branch. */
async function withMergeBase(forge: Forge, body: unknown): Promise<unknown> {
  if (Array.isArray(body)) return Promise.all(body.map((each) => withMergeBase(forge, each)));
  const { head, html_url: url } = (body ?? {}) as { head?: { sha: string }; html_url?: string };
  const repo = forge.repositories.find(({ name }) => url?.startsWith(`${forge.url}/${name}/`));
  if (!head || !repo) return body;
  return { ...(body as object), merge_base: (await repo.git.git('merge-base', 'main', head.sha)).trim() };
}
