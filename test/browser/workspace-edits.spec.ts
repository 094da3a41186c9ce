import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { freePort } from '../../src/kernel/platform/embedded-postgres/cluster.js';
import { Balancer } from '../faults/balancer.js';
import { chanceOf } from '../faults/chance.js';
import { Killable } from '../faults/killable.js';
import { Stage } from '../faults/processes.js';
import type { Person } from '../build.js';
import { buildSpace } from '../published-site.js';
import { describeInBrowser } from './browser.js';
import { succeeded, useWorkspace } from './workspace.js';

/** Seconds in which two browsers write one page, for each of its forms. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 20);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const PARAGRAPHS = 6;
const SERVERS = 2;
/** The longest time between two edits, between two kills, and before a killed server starts again. */
const EDIT_MS = 3000;
const KILL_MS = 12_000;
const DOWN_MS = 3000;
/** Within this time after the order to save, the answer is on its way. */
const ANSWER_MS = 60;

const FOCUS_MS = 500;
const CURSOR_MS = 150;
const SOON = { timeout: 5000 };
const ATTEMPTS = 40;
/** The longest time until everybody has what was saved last. */
const END_MS = 60_000;

const beginningOf = (paragraph: number): string => `Paragraph ${paragraph} of the page.`;

/** An editor of one form: where its text is, and how it tells the line that has the cursor. */
interface EditorForm {
  readonly name: string;
  readonly editor: (page: Page) => Locator;
  readonly line: (page: Page, beginning: string) => Locator;
  readonly hasCursor: (page: Page, beginning: string) => Promise<boolean>;
}

const FORMS: readonly EditorForm[] = [
  {
    name: 'source',
    editor: (page) => page.locator('.cm-content'),
    line: (page, beginning) => page.locator('.cm-content .cm-line', { hasText: beginning }),
    hasCursor: async (page, beginning) =>
      (await page.locator('.cm-content .cm-activeLine', { hasText: beginning }).count()) > 0,
  },
  {
    name: 'visual',
    editor: (page) => page.locator('.visual-text'),
    line: (page, beginning) => page.locator('.visual-text > p', { hasText: beginning }),
    hasCursor: async (page, beginning) => {
      const words = await page.evaluate<string>(
        `(getSelection().focusNode?.parentElement?.closest('.visual-text > p') ?? getSelection().focusNode)?.textContent ?? ''`,
      );
      return words.startsWith(beginning);
    },
  },
];

describeInBrowser(`two browsers whose connections drop, and servers that are killed (SEED=${SEED})`, (browsing) => {
  const chance = chanceOf(SEED);
  const below = (most: number): number => Math.floor(chance() * most);
  const workspace = useWorkspace(browsing);
  const servers: Killable[] = [];
  let stage: Stage;
  let balancer: Balancer;

  beforeAll(async () => {
    const { app, publicOrigin } = workspace.current;
    stage = await Stage.open();
    const ports: number[] = [];
    while (ports.length < SERVERS) ports.push(await freePort());
    const backends = ports.map((port) => ({ port, readiness: `http://127.0.0.1:${port}/readyz` }));
    balancer = await Balancer.start(backends);
    for (const port of ports) {
      const env = {
        DATABASE_URL: app.databaseUrl,
        SECRET_KEY: app.config.secretKey.join(','),
        PORT: String(port),
        API_URL: balancer.url,
        PUBLIC_URL: publicOrigin,
        LOG_LEVEL: 'error',
        SEARCH_VECTORS: 'none',
        RATE_LIMIT_PER_MINUTE: '0',
        RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
      };
      const server = new Killable(stage, env);
      servers.push(server);
      await server.start();
    }
    for (const backend of backends) await balancer.whenReady(backend);
    workspace.current.moveTo(balancer.url);
  }, 600_000);

  afterAll(async () => {
    await balancer.close();
    await stage.close();
  });

  /** Kills servers, one at a time, and starts each again; gives how often. */
  async function killServers(isOver: () => boolean): Promise<number> {
    for (let kills = 0; ; kills += 1) {
      for (let left = below(KILL_MS); left > 0 && !isOver(); left -= 100) await pause(100);
      if (isOver() && kills > 0) return kills;
      const server = servers[below(SERVERS)];
      await server?.kill();
      await pause(below(DOWN_MS));
      await server?.start();
    }
  }

  /** Appends a word to a paragraph of a page that is open in the editor, while the connection may be gone or goes. */
  async function append(form: EditorForm, page: Page, paragraph: number, word: string): Promise<void> {
    const connection = below(3);
    await page.context().setOffline(connection === 0);
    await settle(page);
    await putCursorIn(form, page, beginningOf(paragraph));
    // The first one goes to the end of a line on the screen, of which a long paragraph has several.
    await page.keyboard.press('End');
    await page.keyboard.press('End');
    await page.keyboard.type(` ${word}`);
    const words = (await form.editor(page).textContent()) ?? '';
    // A dialog that was closed has taken the focus late: nobody has written the word.
    if (!words.includes(word) && !(await isWriting(form, page))) return append(form, page, paragraph, word);
    if (connection === 1) {
      await page.keyboard.press('Control+s');
      await page.waitForTimeout(below(ANSWER_MS));
      await page.context().setOffline(true);
    }
    await page.waitForTimeout(below(EDIT_MS));
  }

  const isWriting = ({ editor }: EditorForm, page: Page): Promise<boolean> =>
    editor(page).and(page.locator(':focus')).isVisible();

  /** Lines move under the pointer when words of others come in, so the line that was hit is looked at, as people do. */
  async function putCursorIn(form: EditorForm, page: Page, beginning: string): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // The end of the last line of the paragraph, which may have several on the screen.
      const box = await form.line(page, beginning).boundingBox();
      const position = { x: (box?.width ?? 0) - 4, y: (box?.height ?? 0) - 6 };
      await form
        .line(page, beginning)
        .click({ position })
        .catch(() => undefined);
      await page.waitForTimeout(CURSOR_MS);
      if ((await isWriting(form, page)) && (await form.hasCursor(page, beginning))) return;
    }
    throw new Error(`the cursor cannot be put into “${beginning}”`);
  }

  /** Puts the words of both people into every place that both changed. */
  async function settle(page: Page): Promise<void> {
    const button = page.getByRole('button', { name: 'Settle' });
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save what is chosen' });
    if (!(await button.isVisible())) return;
    await page.context().setOffline(false);
    if (!(await dialog.isVisible())) await button.click();
    await save.waitFor();
    for (let attempt = 0; await dialog.isVisible(); attempt += 1)
      try {
        for (const place of await dialog.getByRole('region', { name: /^Place / }).all()) {
          const [base = '', theirs = '', mine = ''] = await place.locator('pre.source-text').allTextContents();
          await place.getByText('Own text', { exact: true }).click(SOON);
          await place.getByLabel('Own text (Markdown)').fill(united(base, theirs, mine), SOON);
        }
        await save.click(SOON);
        await dialog.waitFor({ state: 'detached', ...SOON });
      } catch (error) {
        // Nobody answered, others changed the same places again, or a late answer has closed the dialog meanwhile.
        if (attempt === ATTEMPTS) throw error;
      }
    // Dialogs give the focus back a moment later: what is typed before that goes nowhere.
    await page.waitForTimeout(FOCUS_MS);
  }

  /** Paragraphs of one side with the words that the other side has added, without those that it has taken away. */
  function united(base: string, theirs: string, mine: string): string {
    const wordsIn = (text: string, paragraph: string): string[] => {
      const beginning = paragraph.split(' ').slice(0, 2).join(' ');
      const found = text.split('\n\n').find((each) => each.startsWith(`${beginning} `)) ?? '';
      return found.split(/\s+/).filter((word) => word !== '');
    };
    return theirs
      .split('\n\n')
      .map((paragraph) => {
        const [before, own, others] = [base, mine, theirs].map((text) => wordsIn(text, paragraph));
        const kept = others?.filter((word) => !before?.includes(word) || own?.includes(word)) ?? [];
        return [...kept, ...(own?.filter((word) => !kept.includes(word) && !before?.includes(word)) ?? [])].join(' ');
      })
      .join('\n\n');
  }

  async function saveAll({ editor }: EditorForm, page: Page): Promise<void> {
    await page.context().setOffline(false);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await settle(page);
      await editor(page).focus();
      await page.keyboard.press('Control+s');
      if (await page.locator('.editor-bar').getByText('Saved', { exact: true }).isVisible()) return;
      await page.waitForTimeout(1000);
    }
    throw new Error(`the text is not saved: ${await page.locator('.editor-bar').textContent()}`);
  }

  it.each(FORMS)(
    `lose nothing of what they write in the $name editor for ${ROUNDS} seconds, and write nothing twice`,
    async (form) => {
      const { organization } = workspace.current;
      const space = await buildSpace(organization, 'Handbook');
      const markdown = Array.from({ length: PARAGRAPHS }, (_, index) => beginningOf(index)).join('\n\n');
      const [shared = ''] = await space.write({ operation: 'insert_page', title: 'Shared', document: { markdown } });
      const address = workspace.current.home(`/s/${space.id}/~/pages/${shared}?edit=true`);
      const colleague = await organization.member('edit');
      const pages = [await opened(form, organization.admin, address), await opened(form, colleague, address)] as const;
      const written = Array.from({ length: PARAGRAPHS }, (): string[] => []);
      const end = Date.now() + 1000 * ROUNDS;
      let [isWriting, edits] = [true, 0];
      const killing = killServers(() => !isWriting);
      const writing = (async () => {
        for (; Date.now() < end; edits += 1) {
          const paragraph = below(PARAGRAPHS);
          const word = `word${edits}x`;
          written[paragraph]?.push(word);
          await append(form, pages[below(2)] ?? pages[0], paragraph, word);
        }
        for (const page of pages) await saveAll(form, page);
      })().finally(() => (isWriting = false));
      const [kills] = await Promise.all([killing, writing]);
      const { body } = await organization.admin.api.get<{ markdown: string }>(
        `/spaces/${space.id}/content/page/${shared}`,
        { query: { format: 'markdown' } },
      );
      const paragraphs = body.markdown.trim().split('\n\n').slice(1);
      const found = paragraphs.map((text) => ({
        beginning: text.split(' ').slice(0, 5).join(' '),
        words: text.split(' ').slice(5).sort(),
      }));
      const wanted = written.map((words, index) => ({ beginning: beginningOf(index), words: [...words].sort() }));
      expect({ text: body.markdown, found }).toEqual({ text: body.markdown, found: wanted });
      // Both people see the same in the end.
      for (const page of pages)
        for (const paragraph of paragraphs)
          await form.line(page, paragraph).filter({ hasText: paragraph }).waitFor({ timeout: END_MS });
      const { items } = succeeded(
        await organization.admin.api.get<{ items: unknown[] }>(`/spaces/${space.id}/revisions`, {
          query: { limit: 1000 },
        }),
      );
      process.stdout.write(
        `two browsers in the ${form.name} editor: ${edits} edits in ${ROUNDS} s, seed ${SEED}: ${kills} kills, ` +
          `${items.length} revisions, each word once\n`,
      );
    },
    600_000 + ROUNDS * 5000,
  );

  async function opened(form: EditorForm, person: Person, address: string): Promise<Page> {
    const page = await workspace.current.signedIn(person, address);
    if (form.name === 'visual') await page.getByRole('button', { name: 'Visual editor' }).click();
    await form.editor(page).waitFor();
    return page;
  }
});
