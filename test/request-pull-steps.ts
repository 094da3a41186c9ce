import { expect } from '@jest/globals';
import { refOf } from '../src/operations/git-sync/domain/branch-names.js';
import type { Person } from './build.js';
import type { ForgeRepo, Pull } from './forge.js';
import type { GitPair, Run } from './git-pair.js';
import type { PullWorld, Request } from './pull-world.js';

export interface PullState {
  state: string;
  direction: string;
  branch?: string;
  number?: number;
  url?: string;
  commit?: string;
  error?: string;
}

/** The branch that change requests are pushed as. */
export const BRANCH = 'docs/second';
export const REF = refOf(BRANCH);

/** Makes a change request in which a word of the guide is another one, and a page more. */
export async function propose(by: Person, pair: GitPair, subject = 'Change a word'): Promise<Request> {
  const { body: request } = await by.api.post<Request>(`/spaces/${pair.space}/change-requests`, { subject });
  const path = `/spaces/${pair.space}/change-requests/${request.id}`;
  const { id, markdown } = await pair.page('guide');
  const changes = [
    { operation: 'update_page', page: id, document: { markdown: markdown.replace('Second', 'A changed') } },
    { operation: 'insert_page', title: 'New', document: { markdown: 'New.' } },
  ];
  expect((await by.api.post(`${path}/content`, { changes })).status).toBe(200);
  await by.api.patch(path, { status: 'open', description: { markdown: 'It was *wrong*.' } });
  return request;
}

/** Asks for the pull request of a change request, and gives the run with it when that has ended. */
export async function open(pair: GitPair, request: Request, body: object = { branch: BRANCH }): Promise<Run> {
  const { organization } = pair;
  const { api } = organization.admin;
  const asked = await api.post<Run>(`/spaces/${pair.space}/change-requests/${request.id}/pull-request`, body);
  expect(asked.status).toBe(201);
  await pair.settle();
  return (await api.get<Run>(`/org/${organization.id}/imports/${asked.body.id}`)).body;
}

export async function stateOf(pair: GitPair, request: Request): Promise<PullState> {
  const path = `/spaces/${pair.space}/change-requests/${request.id}/pull-request`;
  return (await pair.organization.admin.api.get<PullState>(path)).body;
}

/** A change request with its open pull request, and all that a test looks at. */
export interface OpenedPull {
  readonly world: PullWorld;
  readonly pair: GitPair;
  readonly repo: ForgeRepo;
  readonly request: Request;
  readonly pull: Pull;
}

/** Opens the first pull request of a space, of a new change request. */
export async function openPull(world: PullWorld): Promise<OpenedPull> {
  const { pair, repo } = world;
  const request = await propose(pair.organization.admin, pair);
  expect(await open(pair, request)).toMatchObject({ status: 'completed' });
  expect(await pair.state()).not.toHaveProperty('error');
  const [pull] = repo.pulls;
  if (!pull) throw new Error('there is no pull request');
  return { world, pair, repo, request, pull };
}
