import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GitTransport } from '../../src/operations/imports/git/git-transport.js';
import { useApp } from '../app.js';
import { buildOrganization } from '../build.js';
import type { Client } from '../client.js';
import { GitPair } from '../git-pair.js';
import { GitServer } from '../git-server.js';
import { rounds, seed } from './content-generators.js';

const app = useApp();
let server: GitServer;
const RUNS = { numRuns: rounds(3), seed };
const seen = { edits: 0, commits: 0, conflicts: 0 };

beforeAll(async () => {
  server = await GitServer.start();
  app.current.get(GitTransport).httpsOnly = false;
});
afterAll(async () => {
  await server.stop();
  const { edits, commits, conflicts } = seen;
  process.stdout.write(
    `git sync: seed ${seed}, ${RUNS.numRuns} cases, ${edits} edits, ${commits} commits of the space, ${conflicts} conflicts\n`,
  );
});

const PAGES = 3;
const PARAGRAPHS = 4;

/** An edit of one side, which puts a new word into a paragraph; or both sides are given the time to meet. */
type Step =
  { readonly side: 'git' | 'space'; readonly page: number; readonly paragraph: number } | { readonly side: 'meet' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        side: fc.constantFrom('git' as const, 'space' as const),
        page: fc.nat(PAGES - 1),
        paragraph: fc.nat(PARAGRAPHS - 1),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ side: 'meet' as const }) },
  ),
  { minLength: 4, maxLength: 12 },
);

const slot = (paragraph: number): string => `Paragraph ${'abcd'[paragraph] ?? ''} says `;
const word = (text: string, paragraph: number): string =>
  new RegExp(`${slot(paragraph)}(\\w+)\\.`).exec(text)?.[1] ?? 'nothing';
const withWord = (text: string, paragraph: number, next: string): string =>
  text.replace(new RegExp(`${slot(paragraph)}\\w+\\.`), `${slot(paragraph)}${next}.`);
const first = (page: number): string =>
  `# Page ${page}\n\n${Array.from({ length: PARAGRAPHS }, (_, paragraph) => `${slot(paragraph)}first.`).join('\n\n')}\n`;

describe('any edits of both sides', () => {
  it('leave both equal, with the last word of a side in each paragraph, and commits on top of each other only', async () => {
    const organization = await buildOrganization(app.current);
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const files = Object.fromEntries(
          Array.from({ length: PAGES }, (_, page) => [page === 0 ? 'README.md' : `page-${page}.md`, first(page)]),
        );
        const pair = await GitPair.make({ app: app.current, organization, server }, 'git', files);
        await pair.begin('git');
        /** The words that each paragraph may say in the end: the last one of each side. */
        const said = new Map<string, Map<string, string>>();
        const pushed = new Set([pair.head]);
        for (const [index, step] of [...sequence, { side: 'meet' as const }].entries()) {
          if (step.side === 'meet') {
            await meet(pair, organization.admin.api);
            continue;
          }
          seen.edits++;
          const next = `word${index}`;
          const place = `${step.page} ${step.paragraph}`;
          said.set(place, new Map([...(said.get(place) ?? []), [step.side, next]]));
          const path = step.page === 0 ? 'README.md' : `page-${step.page}.md`;
          if (step.side === 'git') {
            const text = (await pair.files())[path] ?? '';
            pushed.add(await pair.push({ [path]: withWord(text, step.paragraph, next) }));
          } else
            await pair.write(path === 'README.md' ? 'readme' : `page-${step.page}`, (text) =>
              withWord(text, step.paragraph, next),
            );
        }
        const state = await pair.state();
        expect(state).not.toHaveProperty('error');
        const now = await pair.files();
        for (let page = 0; page < PAGES; page++) {
          const text = now[page === 0 ? 'README.md' : `page-${page}.md`] ?? '';
          const shown = (await pair.page(page === 0 ? 'readme' : `page-${page}`)).markdown;
          for (let paragraph = 0; paragraph < PARAGRAPHS; paragraph++) {
            const words = said.get(`${page} ${paragraph}`);
            expect(words ? [...words.values()] : ['first']).toContain(word(text, paragraph));
            expect(word(shown, paragraph)).toBe(word(text, paragraph));
          }
        }
        await requireChain(pair, pushed);
      }),
      RUNS,
    );
  }, 600_000);
});

/** Lets both sides agree; what they have changed both is settled for the side of the branch. */
async function meet(pair: GitPair, api: Client): Promise<void> {
  await pair.sync();
  for (let round = 0; round < 5; round++) {
    const { changeRequest, error } = await pair.state();
    if (error === undefined) return;
    if (changeRequest !== undefined) {
      seen.conflicts++;
      const request = `/spaces/${pair.space}/change-requests/${changeRequest}`;
      const { primary } = (await api.get<{ primary: string }>(`${request}/conflicts`)).body;
      await api.post(`${request}/update`, { primary, default: 'changed' });
      expect((await api.post(`${request}/merge`, {})).body).toMatchObject({ result: 'merge' });
    }
    await pair.sync();
  }
}

/** Every commit of the space stands on the head that was there, and says something. */
async function requireChain(pair: GitPair, pushed: ReadonlySet<string>): Promise<void> {
  const trees = new Set<string>();
  for (let oid = pair.head; !pushed.has(oid);) {
    const { parent, tree } = await pair.repository.commitAt(oid);
    expect(parent).toHaveLength(1);
    expect(trees.has(tree)).toBe(false);
    trees.add(tree);
    seen.commits++;
    oid = parent[0] ?? '';
  }
}
