import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { BatchApplier } from '../src/authoring/content/batch-applier.js';
import type { ChangeInput } from '../src/authoring/content/change-input.js';
import { ContentWriter } from '../src/authoring/content/content-writer.js';
import { Database } from '../src/kernel/common/database.js';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';
import { sessionWaits } from './session-waits.js';

const app = useApp();

interface Written {
  revision: string;
  changes: { page: { id: string } }[];
  error?: { code: number; details?: { path: string }[] };
}
interface Shown {
  slug: string;
  document: { nodes: { key: string; nodes?: unknown[] }[] };
}

afterEach(() => {
  jest.restoreAllMocks();
});

/** A space with live edits and two pages. */
async function written() {
  const { admin, id } = await buildOrganization(app.current);
  const { body } = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, {
    title: 'Docs',
    empty: true,
    editMode: 'live',
  });
  const made = await admin.api.post<Written>(`/spaces/${body.id}/content`, {
    changes: ['One', 'Two'].map((title) => ({
      operation: 'insert_page',
      title,
      document: { markdown: `${title} begins.` },
    })),
  });
  const [one = '', two = ''] = made.body.changes.map(({ page }) => page.id);
  return { admin, space: body.id, one, two };
}

const text = (page: string, markdown: string) => ({
  operation: 'update_page' as const,
  page,
  document: { markdown },
});

/**
 * Sends an edit that waits for the lock of the space while `meanwhile` happens under it; `applied` tells how often its
 * changes were applied.
 */
async function waits(
  { admin, space }: { admin: Person; space: string },
  change: object,
  meanwhile: (database: Database) => Promise<unknown>,
) {
  const database = app.current.get(Database);
  const apply = jest.spyOn(app.current.get(BatchApplier), 'apply').mockClear();
  const edit = await database.transaction(async () => {
    await database.query('SELECT FROM space WHERE id = $1 FOR NO KEY UPDATE', [space]);
    const sent = database.apart(() => admin.api.post<Written>(`/spaces/${space}/content`, { changes: [change] }));
    await sessionWaits(database, 'SELECT%FROM space%FOR NO KEY UPDATE%');
    expect(apply).toHaveBeenCalledTimes(1);
    await meanwhile(database);
    apply.mockClear();
    return { sent };
  });
  return { answer: await edit.sent, appliedAgain: apply.mock.calls.length };
}

const write = (space: string, change: ChangeInput) => () =>
  app.current.get(ContentWriter).write({ spaceId: space }, [change]);

async function blocksOf({ admin, space }: { admin: Person; space: string }, page: string) {
  const { body } = await admin.api.get<Shown>(`/spaces/${space}/content/page/${page}`);
  return body.document.nodes.map(({ key, nodes }) => ({ key, text: JSON.stringify(nodes) }));
}

describe('an edit that waits for another one', () => {
  it('is written as it was prepared where only the text of another page has changed', async () => {
    const scene = await written();
    const { answer, appliedAgain } = await waits(
      scene,
      text(scene.one, 'One goes on.'),
      write(scene.space, text(scene.two, 'Two goes on.')),
    );
    expect([answer.status, appliedAgain]).toEqual([200, 0]);
    expect((await blocksOf(scene, scene.one))[0]?.text).toContain('One goes on.');
    expect((await blocksOf(scene, scene.two))[0]?.text).toContain('Two goes on.');
    const { body } = await scene.admin.api.get<{ revision: string }>(`/spaces/${scene.space}`);
    expect(body.revision).toBe(answer.body.revision);
  });

  it('continues the blocks of the text that has come to its page', async () => {
    const scene = await written();
    let between: string | undefined;
    const { answer, appliedAgain } = await waits(
      scene,
      text(scene.one, 'One begins.\n\nIt has a second paragraph.'),
      async (database) => {
        await write(scene.space, text(scene.one, 'It has a second paragraph.'))();
        const row = await database.one<{ key: string }>(
          `SELECT d.body #>> '{nodes,0,key}' AS key FROM page_current c JOIN document d USING (space_id, hash) WHERE c.space_id = $1 AND c.page_id = $2`,
          [scene.space, scene.one],
        );
        between = row?.key;
      },
    );
    expect([answer.status, appliedAgain]).toEqual([200, 1]);
    const blocks = await blocksOf(scene, scene.one);
    expect(blocks.map((block) => block.text.includes('second'))).toEqual([false, true]);
    expect(between).toBeDefined();
    expect(blocks[1]?.key).toBe(between);
  });

  it('is prepared again where pages have changed by more than their texts', async () => {
    const scene = await written();
    const page = { operation: 'insert_page' as const, title: 'New' };
    const { answer, appliedAgain } = await waits(scene, page, write(scene.space, page));
    expect([answer.status, appliedAgain]).toEqual([200, 1]);
    const shown = await scene.admin.api.get<Shown>(
      `/spaces/${scene.space}/content/page/${answer.body.changes[0]?.page.id ?? ''}`,
    );
    expect(shown.body.slug).toBe('new-1');
  });

  it('is refused where its page is deleted, or the space is locked', async () => {
    const scene = await written();
    const late = await waits(
      scene,
      text(scene.one, 'Late'),
      write(scene.space, { operation: 'delete_page', page: scene.one }),
    );
    expect([late.answer.status, late.answer.body.error?.details?.[0]?.path]).toEqual([400, 'changes.0.page']);
    const locked = await waits(scene, text(scene.two, 'Late'), (database) =>
      database.execute(`UPDATE space SET edit_mode = 'locked' WHERE id = $1`, [scene.space]),
    );
    expect(locked.answer.status).toBe(409);
  });
});
