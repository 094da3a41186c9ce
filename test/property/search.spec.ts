import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { useApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import { rounds, seed } from './content-generators.js';

const app = useApp();
const QUERIES_PER_SPACE = 40;
const RUNS = { numRuns: Math.max(1, Math.ceil(rounds(40) / QUERIES_PER_SPACE)), seed, endOnFailure: true };
const seen = { queries: 0, hits: 0, hostile: 0, refused: 0 };

afterAll(() => {
  process.stdout.write(
    `search: seed ${seed}, ${seen.queries} queries, ${seen.hits} of them with hits; ${seen.hostile} hostile ones, ${seen.refused} of them refused\n`,
  );
});

/** As they are written in documents; no two are near enough to each other to be taken for mistyped. */
const WORDS = [
  'alpha',
  'alphabetical',
  'Bridge',
  'BRIDGEBUILDER',
  'river',
  'riverbankers',
  'über',
  'Überläufer',
  'été',
  'x1',
  '42',
  '4217',
  'cd',
  'cdrom',
  'Łódź',
  '文档',
  '文书',
  'データ',
];
const word = fc.constantFrom(...WORDS);
const words = (minLength: number, maxLength: number) => fc.array(word, { minLength, maxLength });
const page = fc.record({
  title: words(1, 2),
  sections: fc.array(fc.record({ title: words(1, 2), body: words(0, 6) }), { maxLength: 3 }),
  intro: words(0, 4),
});
type PageDraft = typeof page extends fc.Arbitrary<infer Draft> ? Draft : never;

/** A term of a query; `cut` takes so many letters off the last word of a query. */
const term = fc.record({
  word,
  negated: fc.integer({ min: 0, max: 5 }).map((value) => value === 0),
  or: fc.integer({ min: 0, max: 4 }).map((value) => value === 0),
});
const query = fc.record({ terms: fc.array(term, { minLength: 1, maxLength: 3 }), cut: fc.nat(3) });
type QueryDraft = typeof query extends fc.Arbitrary<infer Draft> ? Draft : never;

const SIGNS = [
  '"',
  "'",
  ':*',
  '&',
  '|',
  '!',
  '<->',
  '(',
  ')',
  '-',
  '\\',
  '%',
  '~',
  ' or ',
  '*',
  '\u0000',
  '\u202e',
  '\ud800',
  '\udfff',
  '🚀',
  'é',
  '文',
  'ก็',
  '\u0301',
  '$1',
  ';--',
  '<b>',
  'a@b.c',
  '/etc/x',
  '1e400',
  '-5.3',
  'alpha',
  'river',
];
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...SIGNS), { minLength: 1, maxLength: 30 }).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom(...SIGNS), fc.integer({ min: 1, max: 600 })).map(([sign, times]) => sign.repeat(times)),
);

const LETTERS: Readonly<Record<string, string>> = { ü: 'u', ä: 'a', é: 'e', ł: 'l', ó: 'o', ź: 'z' };
const plain = (text: string): string => [...text.toLowerCase()].map((letter) => LETTERS[letter] ?? letter).join('');
const isJoined = (text: string): boolean => text >= '\u3000';

/** What is searched of a page, one row each: its title, and each heading with what stands below it. */
function rowsOf({ title, sections, intro }: PageDraft): string[][] {
  return [title, intro, ...sections.map((section) => [...section.title, ...section.body])].map((row) => row.map(plain));
}

function textOf({ terms, cut }: QueryDraft): string {
  return terms
    .map(
      ({ word: text, negated, or }, at) =>
        `${or && at > 0 ? 'or ' : ''}${negated ? '-' : ''}${cutOf(text, at === terms.length - 1 && !negated ? cut : 0)}`,
    )
    .join(' ');
}

/** A word without its last letters, but never so short that it is no prefix. */
const cutOf = (text: string, cut: number): string =>
  isJoined(text) ? text : text.slice(0, Math.max(2, text.length - cut));

/** Endings are found for words of letters; the vocabulary of a space has those of at least four. */
const isEnding = (each: string, wanted: string): boolean =>
  each === wanted || (/^\p{L}+$/u.test(wanted) && /^\p{L}{4,24}$/u.test(each) && each.startsWith(wanted));

interface Choice {
  hasWord: boolean;
  readonly excluded: string[];
}

/**
 * Whether a row is a hit: any word is sufficient, and the last one may be unfinished. A minus sign excludes behind
 * another word only, and conditions count if each choice with a word has one.
 */
function matches({ terms, cut }: QueryDraft, row: readonly string[]): boolean {
  const choices: Choice[] = [{ hasWord: false, excluded: [] }];
  const has = (text: string, isLast: boolean): boolean =>
    row.some((each) => (isJoined(text) ? each.includes(text) : isLast ? isEnding(each, text) : each === text));
  let isFound = false;
  for (const [at, { word: text, negated, or }] of terms.entries()) {
    const isLast = at === terms.length - 1;
    const isAfterWord = choices.some(({ hasWord }) => hasWord);
    if (or && at > 0 && isAfterWord) choices.push({ hasWord: false, excluded: [] });
    const choice = choices.at(-1);
    if (!choice) continue;
    if (negated && isAfterWord) {
      choice.excluded.push(plain(text));
    } else {
      choice.hasWord = true;
      isFound ||= has(plain(cutOf(text, isLast && !negated ? cut : 0)), isLast);
    }
  }
  const isFree = choices.some(({ hasWord, excluded }) => hasWord && excluded.length === 0);
  const isAllowed = choices.some(({ excluded }) => excluded.length > 0 && excluded.every((text) => !has(text, false)));
  return isFound && (isFree || isAllowed);
}

async function makeSpace(
  { admin, id }: Workspace,
  pages: readonly PageDraft[],
): Promise<{ space: string; ids: string[] }> {
  const made = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, {
    title: 'Docs',
    empty: true,
    editMode: 'live',
    language: 'zh',
  });
  const changes = pages.map((draft) => ({
    operation: 'insert_page',
    title: draft.title.join(' '),
    document: {
      markdown: [
        draft.intro.join(' '),
        ...draft.sections.flatMap((section) => [`## ${section.title.join(' ')}`, section.body.join(' ')]),
      ].join('\n\n'),
    },
  }));
  const { body } = await admin.api.post<{ changes: { page: { id: string } }[] }>(`/spaces/${made.body.id}/content`, {
    changes,
  });
  return { space: made.body.id, ids: body.changes.map((change) => change.page.id) };
}

interface Hits {
  items: { id: string }[];
  count: number;
}

describe('search', () => {
  it('finds what a simple reading of all pages finds', async () => {
    const workspace = await buildOrganization(app.current);
    await fc.assert(
      fc.asyncProperty(
        fc.array(page, { minLength: 1, maxLength: 8 }),
        fc.array(query, { minLength: QUERIES_PER_SPACE, maxLength: QUERIES_PER_SPACE }),
        async (pages, queries) => {
          const { space, ids } = await makeSpace(workspace, pages);
          for (const each of queries) {
            const expected = ids.filter((_, at) =>
              rowsOf(pages[at] ?? { title: [], sections: [], intro: [] }).some(
                (row) => row.length > 0 && matches(each, row),
              ),
            );
            const { status, body } = await workspace.admin.api.get<Hits>(`/spaces/${space}/search`, {
              query: { query: textOf(each), limit: 100 },
            });
            expect(status).toBe(200);
            expect({ query: textOf(each), count: body.count, found: body.items.map(({ id }) => id).sort() }).toEqual({
              query: textOf(each),
              count: expected.length,
              found: expected.sort(),
            });
            seen.queries += 1;
            if (expected.length > 0) seen.hits += 1;
          }
        },
      ),
      RUNS,
    );
  });

  it('3b-30 answers whatever is typed, with pages of the space alone', async () => {
    const [workspace, other] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const draft: PageDraft = {
      title: ['alpha', 'river'],
      intro: ['文档', 'été'],
      sections: [{ title: ['Bridge'], body: ['x1', '42', 'river'] }],
    };
    const { space, ids } = await makeSpace(workspace, [draft, draft]);
    await makeSpace(workspace, [draft]);
    await makeSpace(other, [draft]);
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const { status, body } = await workspace.admin.api.get<Hits>(`/spaces/${space}/search`, {
          query: { query: text },
        });
        expect({ text, status: status === 400 || status === 200 }).toEqual({ text, status: true });
        if (status === 200) for (const { id } of body.items) expect(ids).toContain(id);
        seen.hostile += 1;
        if (status === 400) seen.refused += 1;
      }),
      { ...RUNS, numRuns: rounds(40) },
    );
    for (const text of ['x'.repeat(100_000), '"'.repeat(100_000), '文'.repeat(33_000)]) {
      const answer = await workspace.admin.api.get(`/spaces/${space}/search`, { query: { query: text } }).then(
        ({ status }) => status,
        () => 431,
      );
      expect([400, 414, 431]).toContain(answer);
    }
  });
});
