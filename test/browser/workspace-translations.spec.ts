import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../../src/kernel/platform/outbox-relay.js';
import { buildSpace } from '../published-site.js';
import { inOtherWords, useEngine } from '../translation-engine.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { edit, succeeded, useWorkspace } from './workspace.js';

interface ListedSegment {
  readonly source: string;
  readonly target: string;
  readonly state: string;
}

describeInBrowser('translations in the workspace', (browsing) => {
  const workspace = useWorkspace(browsing, { TRANSLATION_DELAY: '0' });
  const work = async (): Promise<void> => {
    const { app } = workspace.current;
    await app.get(OutboxRelay).drain();
    await app.get(Jobs).drain();
  };

  it('are made, corrected, brought up to date, handed to translators and taken back', async () => {
    const { organization, app } = workspace.current;
    const { api } = organization.admin;
    useEngine(app, ['ar', 'es']);
    const space = await buildSpace(organization, 'Manual', 'en');
    const [install = ''] = await space.write({
      operation: 'insert_page',
      title: 'Install',
      document: { markdown: 'Run the **first** command now.\n\nWait for it.' },
    });
    const page = await workspace.current.signedIn(organization.admin, workspace.current.home('/translations'));
    await page.getByRole('heading', { name: 'No translations' }).waitFor();
    await page.getByRole('button', { name: 'New translation' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Space').first().click();
    await page.getByRole('option', { name: 'Manual' }).click();
    await dialog.getByLabel('Into').first().fill('Arab');
    await page.getByRole('option', { name: 'Arabic' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Translate', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'English → Arabic' }).waitFor();
    await page.getByText('waits', { exact: true }).waitFor();
    await work();
    await page.getByText('up to date', { exact: true }).waitFor();
    await page.getByText('0 reviewed, 3 by machine, 0 outdated').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    const { items } = succeeded(await api.get<{ items: { id: string }[] }>(`/orgs/${organization.id}/translations`));
    const at = `/orgs/${organization.id}/translations/${items[0]?.id ?? ''}`;
    const segments = async () => succeeded(await api.get<{ items: ListedSegment[] }>(`${at}/segments`)).items;
    const source = 'Run the <pc id="1">first</pc> command now.';
    await page.getByRole('button', { name: `Correct: ${source}` }).click();
    await dialog.getByLabel('Translation').fill('بلا علامات');
    await dialog.getByRole('button', { name: 'Save' }).click();
    // Without its tag the translation is refused, and what was typed stays.
    await page.getByText('Not done').waitFor();
    expect(await dialog.getByLabel('Translation').inputValue()).toBe('بلا علامات');
    await dialog.getByLabel('Translation').fill('نفّذ الأمر <pc id="1">الأول</pc> الآن.');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It is on the page with the next run, which begins by itself.').waitFor();
    // Nobody confirms what somebody else has said since it was shown.
    const waits = (await segments()).find((each) => each.source === 'Wait for it.') as unknown as { id: string };
    succeeded(await api.patch(`${at}/segments/${waits.id}`, { target: 'انتظر.' }));
    await page.getByRole('button', { name: 'It is right: Wait for it.' }).click();
    await page.getByText('Somebody has changed it meanwhile: look at it again.').waitFor();
    await page.getByText('انتظر.').waitFor();
    await page.getByText('2 reviewed, 1 by machine, 0 outdated').waitFor();
    await work();

    await space.write(edit(install, 'Run the **first** command at once.\n\nWait for it.'));
    await work();
    await page.reload();
    await page.getByText('1 reviewed, 1 by machine, 1 outdated').waitFor();
    await page.getByRole('tab', { name: 'Pages' }).click();
    await page.getByRole('radiogroup').getByText('outdated', { exact: true }).click();
    await page.getByRole('link', { name: inOtherWords('Install'), exact: true }).waitFor();
    await page.getByRole('link', { name: /^Texts of/ }).click();
    await page.getByRole('radiogroup').getByText('outdated', { exact: true }).click();
    await page.getByText(/The source has changed; \d+% of its words are as before/).waitFor();
    expect(await page.locator('ins, del').count()).toBeGreaterThan(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: /^Correct: Run the/ }).click();
    await dialog.getByRole('button', { name: 'Begin with the former translation' }).click();
    const former = await dialog.getByLabel('Translation').inputValue();
    expect(former).toContain('الأول');
    // Somebody else is faster: the correction is refused, and nothing of theirs is lost.
    const { id } = (await segments()).find(({ state }) => state === 'outdated') as unknown as { id: string };
    const theirs = 'آخر <pc id="1">قال</pc>.';
    succeeded(await api.patch(`${at}/segments/${id}`, { target: theirs }));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Somebody changed this at the same time/).waitFor();
    expect((await segments()).map(({ target }) => target)).toContain(theirs);
    await page.keyboard.press('Escape');
    await page.getByText('No texts').waitFor();

    await page.getByRole('tab', { name: 'Files' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the file' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toMatch(/\.xlf$|\.xliff$/);
    const xliff = await readFile(await saved.path(), 'utf8');
    expect(xliff).toContain('version="2.1"');
    const returned = xliff.replace(inOtherWords('Install'), 'تثبيت').replaceAll('"translated"', '"reviewed"');
    const take = async (name: string, content: string): Promise<void> => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Take a file' }).click();
      // Else the browser takes the same file, after it was changed, for no new choice.
      expect(await (await chooser).element().inputValue()).toBe('');
      await (await chooser).setFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from(content) }]);
    };
    await take('notes.txt', returned);
    await page.getByText('notes.txt is no .xlf, .xliff, .po or .tmx file.').waitFor();
    await take('ar.xlf', '<xliff');
    await page.getByText('Not done').first().waitFor();
    await take('ar.xlf', returned);
    await page.getByText(/1 reviewed, 0 not reviewed, 2 as before/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect((await segments()).map(({ state }) => state)).toEqual(['reviewed', 'reviewed', 'reviewed']);

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Instructions for the engine').fill('Address readers formally.\nBe short.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The translation is saved.').waitFor();
    await work();
    await page.reload();
    expect(await page.getByLabel('Instructions for the engine').inputValue()).toBe(
      'Address readers formally.\nBe short.',
    );
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.goto(workspace.current.home('/translations?tab=glossary'));
    await page.getByRole('heading', { name: 'No terms' }).waitFor();
    await page.getByRole('button', { name: 'Add a term' }).click();
    for (const [number, language, term] of [
      [1, 'English', 'command'],
      [2, 'Arabic', 'أمر'],
    ] as const) {
      await dialog.getByLabel(`Language ${number}`, { exact: true }).first().fill(language);
      await page.getByRole('option', { name: language, exact: true }).click();
      await dialog.getByLabel(`Term ${number}`).fill(term);
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The term is saved.').waitFor();
    await page.getByRole('button', { name: /^Edit/ }).click();
    await dialog.getByLabel('Term 1').fill('تعليمة');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').getByText('تعليمة').waitFor();
    await page.getByRole('button', { name: /^Edit/ }).click();
    await dialog.getByRole('button', { name: 'Add a form' }).click();
    await dialog.getByLabel('Form 1: English').fill('commands');
    await dialog.getByLabel('Form 1: Arabic').fill('تعليمات');
    await dialog.getByRole('button', { name: 'Add a form' }).click();
    await page.setViewportSize({ width: 380, height: 800 });
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('row').getByText('command, commands').waitFor();
    const glossary = async () =>
      succeeded(
        await api.get<{ items: { forms: unknown }[] }>(`/orgs/${organization.id}/translations-glossary`),
      ).items.map(({ forms }) => forms);
    // A form without words is left out.
    expect(await glossary()).toEqual([[{ en: 'commands', ar: 'تعليمات' }]]);
    await page.getByRole('button', { name: /^Edit/ }).click();
    await dialog.getByRole('button', { name: 'Remove form 1' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').getByText('command, commands').waitFor({ state: 'detached' });
    expect(await glossary()).toEqual([[]]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: /^Delete/ }).click();
    await page.getByText('The term is deleted.').waitFor();

    const other = await organization.member('create');
    const reader = await workspace.current.signedIn(other, workspace.current.home('/translations'));
    await reader.getByText('Only administrators of the organization see this.').waitFor();

    await page.goto(workspace.current.at(at.replace('/orgs', '/o')));
    await page.getByRole('button', { name: 'End it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await page.getByText('The translation has ended.').waitFor();
    await page.getByRole('heading', { name: 'No translations' }).waitFor();
    expect((await api.get(at)).status).toBe(404);
  });

  it('wait for review in a change request where that is asked', async () => {
    const { organization, app } = workspace.current;
    useEngine(app, ['ar', 'es']);
    const space = await buildSpace(organization, 'Guide', 'en');
    await space.write({ operation: 'insert_page', title: 'Install', document: { markdown: 'Wait for it.' } });
    const made = succeeded(
      await organization.admin.api.post<{ id: string; result: { space: string } }>(
        `/orgs/${organization.id}/translations`,
        { source: { space: space.id, language: 'en' }, language: 'es', review: true, variant: 'formal' },
      ),
    );
    await work();
    const address = workspace.current.home(`/translations/${made.id}`);
    const page = await workspace.current.signedIn(organization.admin, address);
    const link = page.getByRole('link', { name: 'Change request to review' });
    await link.waitFor();
    await page.getByRole('heading', { level: 1, name: 'English → Spanish (formal)' }).waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    const flag = page.getByLabel('Review translations before they are in the space');
    expect(await flag.isChecked()).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Translation of what has changed').first().waitFor();
    const requests = succeeded(
      await organization.admin.api.get<{ items: { id: string }[] }>(`/spaces/${made.result.space}/change-requests`),
    ).items;
    expect(page.url()).toContain(requests[0]?.id ?? 'none');
    succeeded(
      await organization.admin.api.post(`/spaces/${made.result.space}/change-requests/${requests[0]?.id ?? ''}/merge`),
    );
    await work();
    await page.goto(address);
    await page.getByText('up to date', { exact: true }).waitFor();
    expect(await link.count()).toBe(0);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await flag.focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('up to date', { exact: true }).waitFor();
    await work();
    await page.reload();
    await page.getByRole('tab', { name: 'Settings' }).click();
    expect(await flag.isChecked()).toBe(false);
  });
});
