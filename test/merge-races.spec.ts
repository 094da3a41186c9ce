import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';

/** How often each pair is raced. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 1);

const app = useApp({ DATABASE_POOL_SIZE: '20' });

interface Made {
  id: string;
}

/** Two change requests of a space with live edits; reviews and merge rules let both be merged. */
interface Scene {
  readonly admin: Person;
  readonly reviewer: Person;
  readonly organization: string;
  readonly url: string;
  /** Of this round. */
  readonly round: string;
  readonly one: string;
  /** Empty where nothing is done to it. */
  readonly two: string;
}

const BASE = [
  { rule: 'require_change_request_subject' },
  { rule: 'require_at_least_one_approved_review' },
  { rule: 'require_all_reviews_approved' },
];
const HARDER = { type: 'rules', rules: [...BASE, { rule: 'require_agent_review' }] };

const insert = (title: string) => ({ changes: [{ operation: 'insert_page', title, document: { markdown: title } }] });

/** What may happen at the same time, each as one request. */
const ACTIONS = {
  merge: ({ admin, one }: Scene) => admin.api.post(`${one}/merge`),
  'merge another one': ({ admin, two }: Scene) => admin.api.post(`${two}/merge`),
  update: ({ admin, one }: Scene) => admin.api.post(`${one}/update`),
  'write to it': ({ admin, one, round }: Scene) => admin.api.post(`${one}/content`, insert(`Late ${round}`)),
  archive: ({ admin, one }: Scene) => admin.api.patch(one, { status: 'archived' }),
  'take its subject': ({ admin, one }: Scene) => admin.api.patch(one, { subject: '' }),
  lock: ({ admin, url }: Scene) => admin.api.patch(url, { editMode: 'locked' }),
  'write to primary': ({ admin, url, round }: Scene) => admin.api.post(`${url}/content`, insert(`Primary ${round}`)),
  'delete the space': ({ admin, url }: Scene) => admin.api.delete(url),
  'change the rules': ({ admin, url }: Scene) => admin.api.patch(url, { mergeRules: HARDER }),
  'change the rules above': ({ admin, organization }: Scene) =>
    admin.api.patch(`/orgs/${organization}`, { mergeRules: HARDER }),
  review: ({ reviewer, one }: Scene) => reviewer.api.post(`${one}/reviews`, { status: 'changes-requested' }),
} as const;
type Action = keyof typeof ACTIONS;

/** How the next race begins as this one did; what is deleted is restored first. */
const UNDO: Partial<Record<Action, (scene: Scene) => Promise<unknown>>> = {
  'delete the space': ({ admin, url }) => ok(admin.api.post(`${url}/restore`)),
  lock: ({ admin, url }) => ok(admin.api.patch(url, { editMode: 'live' })),
  'change the rules': ({ admin, url }) => ok(admin.api.patch(url, { mergeRules: { type: 'inherit' } })),
  'change the rules above': ({ admin, organization }) =>
    ok(admin.api.patch(`/orgs/${organization}`, { mergeRules: { type: 'rules', rules: BASE } })),
};

const NAMES = Object.keys(ACTIONS) as Action[];
const PAIRS = NAMES.flatMap((first, index) => NAMES.slice(index).map((second) => [first, second] as const));

/** Notes every change of what decides about merges, in the order in which the locks of the rows let them happen. */
const WATCH = `
  CREATE TABLE watched (at bigserial PRIMARY KEY, kind text NOT NULL, row jsonb NOT NULL);
  CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO watched (kind, row) VALUES (TG_TABLE_NAME, to_jsonb(NEW) - 'description'); RETURN NULL; END $$;
  ${['organization', 'space', 'change_request', 'change_request_review'].map((table) => `CREATE TRIGGER watch AFTER INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION watch()`).join(';\n  ')}`;

beforeAll(async () => {
  for (const statement of WATCH.split(/;\n {2}(?=CREATE)/)) await app.current.database.execute(statement);
});

const seen = { races: 0, merged: 0, refused: 0 };
afterAll(() => {
  process.stdout.write(
    `merge races: ${PAIRS.length} pairs, ${ROUNDS} rounds each: ${seen.races} races, ${seen.merged} merges, ${seen.refused} requests refused\n`,
  );
});

async function ok<Body>(answer: Promise<{ status: number; body: Body }>): Promise<Body> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`the scene could not be set: ${status} ${JSON.stringify(body)}`);
  return body;
}

async function propose(
  { admin, reviewer, url }: Pick<Scene, 'admin' | 'reviewer' | 'url'>,
  title: string,
): Promise<string> {
  const { id } = await ok(admin.api.post<Made>(`${url}/change-requests`, { subject: title }));
  const cr = `${url}/change-requests/${id}`;
  await ok(admin.api.post(`${cr}/content`, insert(title)));
  await ok(reviewer.api.post(`${cr}/reviews`, { status: 'approved' }));
  return cr;
}

type Stage = Pick<Scene, 'admin' | 'reviewer' | 'organization' | 'url'>;

/** A space that goes by the rules of its organization. */
async function build({ id, admin }: Workspace, reviewer: Person): Promise<Stage> {
  await ok(admin.api.patch(`/orgs/${id}`, { mergeRules: { type: 'rules', rules: BASE } }));
  const space = await ok(admin.api.post<Made>(`/orgs/${id}/spaces`, { title: 'Races', empty: true, editMode: 'live' }));
  return { admin, reviewer, organization: id, url: `/spaces/${space.id}` };
}

async function setScene(stage: Stage, actions: readonly Action[], round: string): Promise<Scene> {
  const one = await propose(stage, `One ${round}`);
  const two = actions.includes('merge another one') ? await propose(stage, `Two ${round}`) : '';
  return { ...stage, round, one, two };
}

const soon = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Watched {
  readonly kind: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** Which merges were made although the rules of that moment forbade them, by a second opinion on the rules. */
function wrongMerges(log: readonly Watched[], organization: string): { merges: number; wrong: unknown[] } {
  const spaces = new Map<unknown, Watched['row']>();
  const requests = new Map<unknown, Watched['row']>();
  const reviews: Watched['row'][] = [];
  let above: unknown;
  let merges = 0;
  const wrong: unknown[] = [];
  for (const { kind, row } of log) {
    if (kind === 'organization' && row['id'] === organization) above = row['merge_rules'];
    if (kind === 'space') spaces.set(row['id'], row);
    if (kind === 'change_request_review') reviews.push(row);
    if (kind !== 'change_request') continue;
    const before = requests.get(row['id']);
    requests.set(row['id'], row);
    if (row['status'] !== 'merged' || before?.['status'] === 'merged') continue;
    merges++;
    const space = spaces.get(row['space_id']);
    const own = space?.['merge_rules'] as { type: string; rules: { rule: string }[] };
    const { rules } = own.type === 'inherit' ? (above as typeof own) : own;
    const latest = new Map(
      reviews
        .filter((review) => review['change_request_id'] === row['id'])
        .map((review) => [review['reviewer_id'], review]),
    );
    const standing = [...latest.values()].filter(
      (review) => review['status'] !== 'approved' || Number(review['sequence']) >= Number(row['written_sequence']),
    );
    const holds =
      row['subject'] !== '' && standing.length > 0 && standing.every((review) => review['status'] === 'approved');
    if (!holds || rules.some(({ rule }) => rule === 'require_agent_review') || space?.['deleted_at'] !== null)
      wrong.push({ row, rules, standing, space });
  }
  return { merges, wrong };
}

/** Each change request is merged once at most, and everything that it has is in primary then; the revisions make one chain. */
async function requireWhole(spaceId: string): Promise<void> {
  const { database } = app.current;
  const revisions = await database.query<{
    id: string;
    parents: string[];
    sequence: string;
    mergedFrom: string | null;
  }>(
    `SELECT id, parents, sequence, merged_from AS "mergedFrom" FROM revision WHERE space_id = $1 AND line = '' ORDER BY sequence`,
    [spaceId],
  );
  revisions.forEach(({ parents, sequence }, index) =>
    expect([Number(sequence), parents[0]]).toEqual([index, revisions[index - 1]?.id]),
  );
  const merged = await database.query<{ id: string; status: string; revision: string | null; lost: number }>(
    `SELECT r.id, r.status, r.merged_revision_id AS revision, (SELECT count(*)::int FROM content_item o WHERE o.space_id = r.space_id AND o.line = r.id AND NOT o.deleted
            AND NOT EXISTS (SELECT FROM content_item p WHERE p.space_id = r.space_id AND p.line = '' AND p.kind = o.kind AND p.id = o.id AND p.hash = o.hash)) AS lost
       FROM change_request r WHERE r.space_id = $1 AND (r.status = 'merged' OR r.merged_revision_id IS NOT NULL)`,
    [spaceId],
  );
  expect(merged.filter(({ status }) => status !== 'merged')).toEqual([]);
  expect(
    revisions.flatMap(({ id, mergedFrom }) => (mergedFrom === null ? [] : [`${mergedFrom} ${id}`])).sort(),
  ).toEqual(merged.map(({ id, revision }) => `${id} ${revision ?? ''}`).sort());
  expect(merged.filter(({ lost }) => lost > 0)).toEqual([]);
}

describe(`3b-34 at the same time (ROUNDS=${ROUNDS})`, () => {
  it.each(NAMES)(
    '%s and everything else keep to the rules, and lose nothing',
    async (name) => {
      const org = await buildOrganization(app.current);
      const from = (await app.current.database.one<{ at: string }>('SELECT coalesce(max(at), 0) AS at FROM watched'))
        ?.at;
      const here = await build(org, await org.member('review'));
      for (const [first, second] of PAIRS.filter(([each]) => each === name)) {
        for (let round = 0; round < ROUNDS; round++) {
          const scene = await setScene(here, [first, second], `${NAMES.indexOf(second)}-${round}`);
          const late = (action: Action) => soon(Math.random() * 6).then(() => ACTIONS[action](scene));
          const answers = await Promise.all([late(first), late(second)]);
          for (const { status } of answers) expect([200, 201, 204, 403, 404, 409]).toContain(status);
          seen.races++;
          seen.refused += answers.filter(({ status }) => status >= 400).length;
          for (const [action, undo] of Object.entries(UNDO))
            if (action === first || action === second) await undo(scene);
          if (first === 'merge' && second === 'merge') expect(answers[0]?.body).toEqual(answers[1]?.body);
        }
      }
      const log = await app.current.database.query<Watched & Record<string, unknown>>(
        'SELECT kind, row FROM watched WHERE at > $1 ORDER BY at',
        [from],
      );
      const { merges, wrong } = wrongMerges(log, org.id);
      expect(wrong).toEqual([]);
      seen.merged += merges;
      await requireWhole(here.url.split('/').at(-1) ?? '');
    },
    60_000 + ROUNDS * 20_000,
  );
});
