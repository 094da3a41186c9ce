import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { HttpClient } from 'isomorphic-git';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { LostJob } from '../../src/kernel/platform/jobs/job-run.js';
import { GitTransport } from '../../src/operations/imports/git/git-transport.js';
import { TestApp, useApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import { GitPair, type Run } from '../git-pair.js';
import { GitServer } from '../git-server.js';
import { rounds, seed } from './content-generators.js';
import { bodyOf, markOf, ModelPage, steps, titleOf, type Edit, type Meeting, type Step } from './git-model.js';
import { GitSide, SpaceSide } from './git-sides.js';

const git = { side: 'git', page: 0, slot: 0, to: 0 } as const;
/** Cases that failed once. */
const EXAMPLES: Step[][] = [
  // The branch moves again after its side was merged: a page that it has added is the same page in the next merge.
  [
    { ...git, kind: 'add' },
    { ...git, kind: 'title' },
    { ...git, kind: 'word' },
    { ...git, side: 'space', kind: 'rename', page: 5 },
    { side: 'meet', at: 2, event: { ...git, kind: 'word' }, isOther: false },
  ],
  // A page that the space deletes stays where the branch adds a page below it.
  [
    { ...git, side: 'space', kind: 'delete', page: 2 },
    { ...git, kind: 'add', to: 3 },
  ],
  // The space moves a page below one that the branch deletes or renames, and the branch adds one below the moved page.
  [
    { ...git, kind: 'add', to: 4 },
    { ...git, side: 'space', kind: 'move', page: 3, to: 2 },
    { ...git, kind: 'delete', page: 1 },
  ],
  [
    { ...git, kind: 'add', to: 4 },
    { ...git, side: 'space', kind: 'move', page: 3, to: 2 },
    { ...git, side: 'space', kind: 'title', page: 1 },
    { ...git, kind: 'rename', page: 1 },
  ],
  // The branch moves a page behind one that the space deletes.
  [
    { ...git, side: 'space', kind: 'delete', page: 3 },
    { ...git, kind: 'word' },
    { ...git, kind: 'move', page: 2, to: 4 },
    { ...git, kind: 'word' },
  ],
];

const app = useApp();
let second: TestApp;
let server: GitServer;
let organization: Workspace;
/** Cases of one test. What a test has been answered is judged when it ends, in a time that grows with its square. */
const AT_ONCE = 10;
const ROUNDS = rounds(2);
/** Milliseconds for a test: a case that fails is made smaller until then. */
const PATIENCE_MS = 600_000;
const seen = { cases: 0, edits: 0, commits: 0, conflicts: 0, deaths: 0 };
/** The server that works on runs. */
let active: TestApp;
/** Is told of each request of a run to the server of the repository, before and after it. */
let onRequest: ((isAnswered: boolean) => Promise<void>) | undefined;

/** The lease of a server that has died is over. */
const END_LEASES = `UPDATE jobs.job SET started_on = now() - interval '3 hours', expire_in = interval '1 second' WHERE name = 'imports.run' AND state = 'active'`;
const END_WAITING = `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE name = 'imports.run' AND state < 'active'`;

beforeAll(async () => {
  server = await GitServer.start();
  const { filesDir } = app.current.config;
  second = await TestApp.start({ FILES_DIR: filesDir }, app.current.databaseUrl);
  for (const each of [app.current, second]) {
    const transport = each.get(GitTransport);
    transport.httpsOnly = false;
    const client = transport.client.bind(transport);
    transport.client = (...words) => watched(client(...words));
  }
  organization = await buildOrganization(app.current);
});
afterAll(async () => {
  await second.close();
  await server.stop();
  const { cases, edits, commits, conflicts, deaths } = seen;
  process.stdout.write(
    `git sync: seed ${seed}, ${cases} cases, ${edits} edits, ${commits} commits of the space, ${conflicts} conflicts, ${deaths} servers died\n`,
  );
});

function watched(http: HttpClient): HttpClient {
  return {
    request: async (request) => {
      await onRequest?.(false);
      const answer = await http.request(request);
      await onRequest?.(true);
      return answer;
    },
  };
}

const PAGES = 4;

/** One case: a space, a branch, and what is known of their pages. */
class Case {
  readonly pages: ModelPage[];
  private readonly git: GitSide;
  private readonly space: SpaceSide;
  private readonly pushed: Set<string>;
  private words = 0;

  private constructor(private readonly pair: GitPair) {
    this.pushed = new Set([pair.head]);
    this.git = new GitSide(pair, this.pushed);
    this.space = new SpaceSide(pair, organization.admin.api);
    this.pages = Array.from({ length: PAGES }, (_, page) => new ModelPage(`m${page}`));
  }

  static async begin(): Promise<Case> {
    active = app.current;
    const names = Array.from({ length: PAGES }, (_, page) => `m${page}`);
    const contents = names.map((name) => `* [${titleOf(name, 'first')}](${name}.md)\n`).join('');
    const files = {
      'README.md': '# Home\n',
      'SUMMARY.md': `# Contents\n\n* [Home](README.md)\n${contents}`,
      ...Object.fromEntries(names.map((name) => [`${name}.md`, `# ${titleOf(name, 'first')}\n\n${bodyOf('first')}\n`])),
    };
    const world = {
      get app() {
        return active;
      },
      organization,
      server,
    };
    const pair = await GitPair.make(world, 'git', files);
    await pair.begin('git');
    return new Case(pair);
  }

  async edit(edit: Edit): Promise<void> {
    seen.edits++;
    const word = `word${++this.words}`;
    let page = this.pages[edit.page % Math.max(1, this.pages.length)];
    if (edit.kind === 'add') this.pages.push((page = new ModelPage(`n${this.words}`)));
    if (page === undefined) return;
    // A page that another one comes to lie below is not gone, whichever side deletes it.
    const above = markOf((await this[edit.side].edit(edit, page, word)) ?? '');
    this.pages.find(({ mark }) => mark === above)?.touch(edit.side);
  }

  /** Lets both sides agree, whatever happens meanwhile, and compares them with what is known of them. */
  async meet({ at, event, isOther }: Omit<Meeting, 'side'>): Promise<void> {
    let requests = 0;
    onRequest = async (isAnswered) => {
      if (event === 'nothing' || isAnswered !== (event === 'dies after') || requests++ !== at) return;
      onRequest = undefined;
      if (typeof event === 'object') return this.edit(event);
      seen.deaths++;
      throw new LostJob('the server dies');
    };
    const decided = seen.conflicts;
    await this.pair.sync();
    onRequest = undefined;
    if (isOther) active = active === second ? app.current : second;
    for (let round = 0; !(await this.isSettled()); round++) {
      if (round === 10) throw new Error(`both sides do not become equal: ${JSON.stringify(await this.pair.state())}`);
    }
    await this.compare(seen.conflicts > decided);
  }

  private async isSettled(): Promise<boolean> {
    await active.database.query(END_LEASES);
    await active.get(Jobs).reclaim();
    await active.database.query(END_WAITING);
    await this.pair.settle();
    const { changeRequest, error } = await this.pair.state();
    if (changeRequest !== undefined && error !== undefined) await this.decide(changeRequest);
    const run = await this.pair.sync();
    return run.status === 'completed' && run.changed === false && !(await this.pair.state()).error;
  }

  /** People settle what both sides have changed for the side of the branch. */
  private async decide(changeRequest: string): Promise<void> {
    seen.conflicts++;
    const { api } = organization.admin;
    const request = `/spaces/${this.pair.space}/change-requests/${changeRequest}`;
    const { primary } = (await api.get<{ primary: string }>(`${request}/conflicts`)).body;
    await api.post(`${request}/update`, { primary, default: 'changed' });
    expect((await api.post(`${request}/merge`, {})).body).toMatchObject({ result: 'merge' });
  }

  private async compare(hasDecided: boolean): Promise<void> {
    const git = await this.git.shown();
    const space = await this.space.shown();
    expect(sorted(space)).toEqual(sorted(git));
    expect(await this.space.contents()).toEqual(await this.git.contents());
    for (const page of [...this.pages]) {
      const shown = git.get(page.mark) ?? [];
      const fault = page.fault(shown, hasDecided);
      if (fault !== undefined) throw new Error(`page ${page.mark} ${fault}`);
      if (!page.agree(shown)) this.pages.splice(this.pages.indexOf(page), 1);
    }
  }

  /** An import would change nothing, in no file. */
  async comparePlan(): Promise<void> {
    const { api } = organization.admin;
    const { body } = await api.post<Run>(`${this.pair.path}/plan`, { priority: 'git' });
    await this.pair.settle();
    const { plan } = (await api.get<Run>(`/org/${organization.id}/imports/${body.id}`)).body;
    expect(plan?.files).toEqual([]);
  }

  /** Every commit of the space stands on the head that was there, and says something. */
  async requireChain(): Promise<void> {
    const trees = new Set<string>();
    for (let oid = this.pair.head; !this.pushed.has(oid);) {
      const { parent, tree } = await this.pair.repository.commitAt(oid);
      expect(parent).toHaveLength(1);
      expect(trees.has(tree)).toBe(false);
      trees.add(tree);
      seen.commits++;
      oid = parent[0] ?? '';
    }
  }
}

const sorted = (shown: ReadonlyMap<string, readonly object[]>): [string, string[]][] =>
  [...shown]
    .map(([mark, pages]): [string, string[]] => [mark, pages.map((page) => JSON.stringify(page)).sort()])
    .sort(([left], [right]) => (left < right ? -1 : 1));

async function happens(sequence: readonly Step[]): Promise<void> {
  seen.cases++;
  const run = await Case.begin();
  for (const step of sequence) await (step.side === 'meet' ? run.meet(step) : run.edit(step));
  await run.meet({ at: 0, event: 'nothing', isOther: false });
  await run.comparePlan();
  await run.requireChain();
}

describe('any edits of both sides leave both equal and lose nothing, whichever server dies, with commits on top of each other only', () => {
  it.each(EXAMPLES.map((steps, number) => ({ number, steps })))('where a case failed once ($number)', ({ steps }) =>
    happens(steps),
  );

  it.each(Array.from({ length: Math.ceil(ROUNDS / AT_ONCE) }, (_, part) => seed + part))(
    'in any case of seed %i',
    async (partSeed) => {
      const numRuns = Math.min(AT_ONCE, ROUNDS - (partSeed - seed) * AT_ONCE);
      await fc.assert(fc.asyncProperty(steps, happens), {
        numRuns,
        seed: partSeed,
        interruptAfterTimeLimit: PATIENCE_MS,
      });
    },
    PATIENCE_MS + 60_000,
  );
});
