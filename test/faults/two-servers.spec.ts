import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type ScratchDatabase, scratchDatabase } from '../scratch-database.js';
import { chanceOf } from './chance.js';
import { Client, type Story, writeStories } from './history-writers.js';
import { findImpossible } from './kill-checks.js';
import { Killable } from './killable.js';
import { Stage } from './processes.js';

/** How long four writers write, in seconds. */
const SECONDS = Number(process.env['ROUNDS'] ?? 4);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const TOKEN = 'history-token-history-token-history-token-history';
const WRITERS = 4;
const PAGES = ['Alpha', 'Beta', 'Gamma'];
const NEEDS_REVIEW = { type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] };

/** Notes in the transaction of every merge which rules hold and whether somebody has approved what is merged. */
const AUDIT = `
  CREATE TABLE merge_audit (change_request_id text PRIMARY KEY, rules jsonb NOT NULL, approved boolean NOT NULL);
  CREATE FUNCTION audit_merge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO merge_audit SELECT NEW.id, s.merge_rules, EXISTS (
        SELECT FROM change_request_review v WHERE v.space_id = NEW.space_id AND v.change_request_id = NEW.id AND v.status = 'approved')
      FROM space s WHERE s.id = NEW.space_id;
    RETURN NEW; END $$;
  CREATE TRIGGER merge_audited AFTER UPDATE ON change_request FOR EACH ROW WHEN (NEW.status = 'merged' AND OLD.status <> 'merged') EXECUTE FUNCTION audit_merge();`;

describe(`3b-37 four writers on two servers that are killed in turns (${SECONDS} s, SEED=${SEED})`, () => {
  const chance = chanceOf(SEED);
  const surprises: string[] = [];
  let stage: Stage;
  let database: ScratchDatabase;
  let sql: pg.Client;
  let servers: readonly Killable[];
  let admin: Client;
  let spaceUrl: string;
  let pages: string[];
  let reviewerToken: string;

  beforeAll(async () => {
    stage = await Stage.open();
    database = await scratchDatabase();
    sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
    const env = {
      DATABASE_URL: database.url,
      SECRET_KEY: 'a-key-for-tests-only-a-key-for-tests-only',
      BOOTSTRAP_TOKEN: TOKEN,
      RATE_LIMIT_PER_MINUTE: '0',
      SEARCH_VECTORS: 'none',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
      LOG_LEVEL: 'error',
    };
    servers = [new Killable(stage, env), new Killable(stage, env)];
    for (const server of servers) await server.start();
    admin = new Client(servers, TOKEN, chance, surprises);
    const orgs = await admin.ask<{ items: { id: string }[] }>('GET', '/orgs');
    const organizationId = orgs.body.items[0]?.id ?? '';
    await stage.finish(['user', 'create', 'reviewer@example.org'], { env });
    reviewerToken =
      (await stage.finish(['token', 'create', '--user', 'reviewer@example.org', '--name', 'Reviews'], { env })).stdout
        .trim()
        .split('\n')[0] ?? '';
    await sql.query(
      `INSERT INTO member (organization_id, user_id, role, joined_at) SELECT $1, id, 'review', now() FROM account WHERE email = 'reviewer@example.org'`,
      [organizationId],
    );
    const space = await admin.ask<{ id: string }>('POST', `/orgs/${organizationId}/spaces`, {
      title: 'Under fire',
      empty: true,
      editMode: 'live',
    });
    spaceUrl = `/spaces/${space.body.id}`;
    const changes = PAGES.map((title) => ({
      operation: 'insert_page',
      title,
      document: { markdown: `The page ${title} begins.` },
    }));
    const written = await admin.ask<{ changes: { page: { id: string } }[] }>('POST', `${spaceUrl}/content`, {
      changes,
    });
    pages = written.body.changes.map(({ page }) => page.id);
    await admin.ask('PATCH', spaceUrl, { editMode: 'locked' });
    await sql.query(AUDIT);
  }, 180_000);

  afterAll(async () => {
    await sql.end();
    await stage.close();
    await database.drop();
  });

  /** Kills one server after the other, never both at once, and changes the rules meanwhile. */
  async function disturb(isOver: () => boolean): Promise<number> {
    const rules = (async () => {
      for (let on = true; !isOver(); on = !on) {
        await admin.ask('PATCH', spaceUrl, { mergeRules: on ? NEEDS_REVIEW : { type: 'none' } });
        await pause(50 + chance() * 400);
      }
    })();
    let kills = 0;
    for (let turn = 0; !isOver(); turn++) {
      await pause(300 + chance() * 1500);
      const server = servers[turn % servers.length];
      await server?.kill();
      kills++;
      await server?.start();
    }
    await rules;
    return kills;
  }

  /** Words in the paragraphs of a page, in order. */
  async function wordsOf(content: string, page: string): Promise<string[]> {
    const { body } = await admin.ask<{ markdown: string }>('GET', `${content}/page/${page}?format=markdown`);
    return body.markdown.match(/\bw\d+n\d+z\b/g) ?? [];
  }

  async function faultsOf(stories: readonly Story[]): Promise<string[]> {
    const faults = await findImpossible(sql);
    const merged = new Set(
      (await sql.query<{ id: string }>(`SELECT id FROM change_request WHERE status = 'merged'`)).rows.map(
        ({ id }) => id,
      ),
    );
    const primary = new Map(
      await Promise.all(pages.map(async (page) => [page, await wordsOf(`${spaceUrl}/content`, page)] as const)),
    );
    const everywhere = [...primary.values()].flat();
    if (new Set(everywhere).size !== everywhere.length) faults.push('a word is there twice');
    for (const { id, words, doubtful, merged: told } of stories) {
      if (told && !merged.has(id)) faults.push(`${id} was merged and is not`);
      for (const { word, page } of words)
        if (merged.has(id) !== (primary.get(page) ?? []).includes(word))
          faults.push(
            `${word} of ${merged.has(id) ? 'a merged' : 'an open'} change request is ${merged.has(id) ? 'lost' : 'in the space'}`,
          );
      if (!merged.has(id))
        for (const word of doubtful)
          if (everywhere.includes(word)) faults.push(`${word} of an open change request is in the space`);
      for (const { word, page } of words)
        if (!(await wordsOf(`${spaceUrl}/change-requests/${id}/content`, page)).includes(word))
          faults.push(`${word} is lost in its change request`);
    }
    return [...faults, ...(await broken())];
  }

  /** Merges against the rules, and revisions of primary in which something is missing that an earlier one had. */
  async function broken(): Promise<string[]> {
    const { rows: merges } = await sql.query<{ id: string }>(
      `SELECT change_request_id AS id FROM merge_audit WHERE rules ->> 'type' = 'rules' AND NOT approved`,
    );
    const faults = merges.map(({ id }) => `${id} was merged against the rules`);
    const { rows } = await sql.query<{ id: string }>(
      `SELECT id FROM revision WHERE line = '' AND space_id = $1 ORDER BY sequence`,
      [spaceUrl.slice('/spaces/'.length)],
    );
    for (const page of pages) {
      let before: string[] = [];
      for (const { id } of rows.slice(1)) {
        const now = await wordsOf(`${spaceUrl}/revisions/${id}`, page);
        const kept = now.filter((word) => before.includes(word));
        if (kept.join() !== before.join()) faults.push(`the revision ${id} loses or moves words of ${page}`);
        before = now;
      }
    }
    return faults;
  }

  it(
    'gives one chain of revisions, loses no acknowledged word and merges nothing against the rules',
    async () => {
      const end = Date.now() + SECONDS * 1000;
      const isOver = (): boolean => Date.now() > end;
      const scene = (index: number) => {
        const own = chanceOf(SEED + index);
        return {
          spaceUrl,
          pages,
          author: new Client(servers, TOKEN, own, surprises),
          reviewer: new Client(servers, reviewerToken, own, surprises),
          chance: own,
          surprises,
          isOver,
        };
      };
      const [kills, ...told] = await Promise.all([
        disturb(isOver),
        ...Array.from({ length: WRITERS }, (_, index) => writeStories(`w${index}`, scene(index))),
      ]);
      const stories = told.flat();
      expect({ surprises, faults: await faultsOf(stories) }).toEqual({ surprises: [], faults: [] });
      const {
        rows: [audit],
      } = await sql.query<{ merges: number; reviewed: number }>(
        `SELECT count(*)::int AS merges, count(*) FILTER (WHERE rules ->> 'type' = 'rules')::int AS reviewed FROM merge_audit`,
      );
      const words = stories.flatMap((story) => story.words).length;
      process.stdout.write(
        `two servers: ${SECONDS} s, seed ${SEED}: ${kills} kills, ${stories.length} change requests, ${words} acknowledged words, ${audit?.merges} merges, ${audit?.reviewed} of them under a rule, nothing lost\n`,
      );
      expect(audit?.merges).toBeGreaterThan(0);
    },
    120_000 + SECONDS * 10_000,
  );
});
