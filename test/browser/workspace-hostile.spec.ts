import { expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { cleanSubject } from '../../src/insight/conversations/domain/clean-message.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { hostileAddresses, hostileMarkdown, hostileTexts } from '../security/hostile-texts.js';
import { buildSpace, type Made } from '../published-site.js';
import { type Browsing, describeInBrowser, type Tab } from './browser.js';
import { FilledWorkspace, type Words } from './workspace-screens.js';
import { edit, enter, show, succeeded, useWorkspace } from './workspace.js';

const SCRIPT = 'window.hacked=1';
/** Milliseconds. */
const PAUSE = 100;
const LONGEST = 10_000;
/** Without an `img-src`: pictures of other servers are refused, and their addresses are no scripts. */
const WATCH_POLICY = `window.violations = [];
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
    if (effectiveDirective !== 'img-src') window.violations.push([effectiveDirective, blockedURI, sample].join(' '));
  });`;
/** What could run in a page, and the text that it shows, its shadow roots included. */
const LOOK = `(() => {
  const faults = [...window.violations, ...(window.hacked === undefined ? [] : ['a script ran'])];
  const texts = [];
  const look = (root) => {
    texts.push(root.textContent);
    for (const element of root.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        const written = value.replace(/[\\0-\\x20]/g, '');
        if (name.startsWith('on') || name === 'srcdoc') faults.push(element.tagName + ' ' + name + '=' + value);
        if (/^(href|src|action|formaction|data|xlink:href)$/.test(name) && /^(javascript:window|vbscript|data:text)/i.test(written))
          faults.push(element.tagName + ' ' + name + '=' + value);
      }
      if (element.matches('script:not([src]), iframe:not([src]), object, embed')) faults.push(element.outerHTML);
      if (element.matches('input, textarea')) texts.push(element.value);
      if (element.shadowRoot) look(element.shadowRoot);
    }
  };
  look(document.documentElement);
  return { faults, text: texts.join(' ') };
})()`;

/** Addresses of mail with characters that mean something in HTML and in templates. */
const ADDRESSES = [`'onmouseover='${SCRIPT}@example.com`, '{{7*7}}${7*7}&lt@example.com'];
/** Put an address into stored documents and links, in the place of another one. */
const STORED = [
  'UPDATE document SET body = replace(body::text, $2, $3)::json WHERE space_id = $1',
  'UPDATE content_item SET props = replace(props::text, $2, $3)::jsonb WHERE space_id = $1',
];

interface Look {
  readonly faults: readonly string[];
  readonly text: string;
}

/** Hostile texts in every field, as many as it takes; the next field begins with the next one. */
class HostileWords implements Words {
  readonly said: string[] = [];
  private count = 0;
  readonly svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"><script>${SCRIPT}</script></svg>`;

  text(name: string, most: number): string {
    const text = this.composed(name, most);
    this.said.push(text);
    return text;
  }

  subject(name: string, most: number): string {
    const text = this.composed(name, most);
    this.said.push(cleanSubject(text));
    return text;
  }

  private composed(name: string, most: number): string {
    const texts = hostileTexts(SCRIPT);
    const first = this.count++ % texts.length;
    return [...texts.slice(first), ...texts.slice(0, first)].reduce(
      (whole, each) => (whole.length + each.length < most ? `${whole} ${each}` : whole),
      name,
    );
  }

  markdown(text: string): string {
    return `${text}\n\n${hostileMarkdown(SCRIPT)}`;
  }
}

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A tab whose screens are looked at for what could run in them, and for the texts that they show. */
class Watch {
  readonly faults: unknown[] = [];
  readonly shown: string[] = [];
  private readonly open = new Set<Request>();

  private constructor(
    readonly page: Page,
    private readonly tab: Tab,
  ) {}

  static async begin(browsing: Browsing): Promise<Watch> {
    const tab = await browsing.open();
    const { page } = tab;
    await page.context().addInitScript({ content: WATCH_POLICY });
    const watch = new Watch(page, tab);
    page.on('dialog', (dialog) => {
      watch.faults.push(['a dialog', dialog.message()]);
      void dialog.dismiss();
    });
    // The stream of notifications is open as long as the screen is.
    page.on('request', (request) => request.resourceType() !== 'eventsource' && watch.open.add(request));
    page.on('requestfinished', (request) => watch.open.delete(request));
    page.on('requestfailed', (request) => watch.open.delete(request));
    return watch;
  }

  /** Goes to a screen and looks at it. */
  async visit(address: string): Promise<void> {
    // Another hash alone loads nothing.
    await this.page.goto('about:blank');
    this.open.clear();
    await show(this.page, address).catch((error: unknown) => this.faults.push([address, String(error)]));
    await this.look();
  }

  /** Looks at what is shown when nothing is asked of the server any more: rendered content has come then. */
  async look(): Promise<string> {
    for (let quiet = 0; quiet < 2; quiet = this.open.size === 0 ? quiet + 1 : 0) await this.page.waitForTimeout(PAUSE);
    const { faults, text } = await this.page.evaluate<Look>(LOOK);
    this.faults.push(...faults.map((fault) => [this.page.url(), fault]));
    this.shown.push(collapsed(text));
    return collapsed(text);
  }

  /** Looks until a text is shown. */
  async says(text: string): Promise<void> {
    for (const end = Date.now() + LONGEST; Date.now() < end;) if ((await this.look()).includes(collapsed(text))) return;
    this.faults.push([this.page.url(), `does not say ${text}`]);
  }

  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).first().click();
  }

  /** Chooses from the menu that is open. */
  async choose(name: string): Promise<void> {
    await this.page.getByRole('menuitem', { name, exact: true }).click();
  }

  /** Closes the dialog that is open. */
  async leave(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  /** Fails if something ran, or could have. */
  settle(): void {
    expect(this.faults).toEqual([]);
    expect(this.tab.faults.filter((fault) => /script: /.test(fault))).toEqual([]);
  }
}

describeInBrowser('hostile texts in every field', (browsing) => {
  const workspace = useWorkspace(browsing);

  /** Watches a tab in which the administrator is signed in. */
  async function administrator(): Promise<Watch> {
    const watch = await Watch.begin(browsing);
    await enter(watch.page, await workspace.current.linkFor(workspace.current.organization.admin));
    return watch;
  }

  it('are shown as text on the screens of the workspace, and run nothing', async () => {
    const words = new HostileWords();
    const filled = new FilledWorkspace(workspace.current, words);
    const watch = await Watch.begin(browsing);
    const inside = await filled.inside();
    for (const address of await filled.outside()) await watch.visit(address);
    await enter(watch.page, await workspace.current.linkFor(workspace.current.organization.admin));
    for (const address of inside) await watch.visit(address);
    // The description of a change request is read as Markdown; its field has it as it was written.
    await watch.visit(inside.find((address) => /\/~\/changes\/\d+$/.test(address)) ?? '');
    await watch.press('Change the description');
    await watch.look();
    watch.settle();
    expect(words.said.filter((text) => !watch.shown.some((each) => each.includes(collapsed(text))))).toEqual([]);
  }, 900_000);

  it('are shown as text in menus, dialogs and messages of spaces and pages', async () => {
    const { organization, app } = workspace.current;
    const { api } = organization.admin;
    const words = new HostileWords();
    const [title, inside, page, file] = [
      words.text('Manual', 50),
      words.text('Shelf', 50),
      words.text('Start', 250),
      words.text('a.txt', 200),
    ];
    const collection = succeeded(await api.post<Made>(`/orgs/${organization.id}/collections`, { title: inside }));
    const space = await buildSpace(organization, title);
    const [id = ''] = await space.write(
      { operation: 'insert_page', title: page, document: { markdown: 'A text.' } },
      { operation: 'insert_files', files: [{ name: file, contentType: 'text/plain', base64: 'eA==' }] },
    );
    const subject = words.text('Newer', 100);
    await workspace.current.propose(space, subject, edit(id, 'Another text.'));
    await app.get(Jobs).drain();
    const watch = await administrator();
    const { page: tab } = watch;
    const rowOf = (name: string) => tab.getByRole('treeitem', { name: collapsed(name), exact: true });

    await watch.visit(workspace.current.home(`/c/${collection.id}`));
    for (const [item, said] of [
      ['Rename', `Rename ${inside}`],
      ['Move to…', `Move ${inside}`],
      ['Delete', `Delete ${inside}?`],
    ] as const) {
      await watch.press('Actions');
      await watch.choose(item);
      await watch.says(said);
      await watch.leave();
    }
    await rowOf(title).click({ button: 'right' });
    await watch.choose('Move to…');
    await tab.getByRole('dialog').getByLabel('Collection').click();
    await tab.getByRole('option', { name: /Shelf/ }).waitFor();
    await watch.says(inside);
    await watch.visit(workspace.current.home(`/s/${space.id}/~/pages/${id}`));
    await rowOf(page).click({ button: 'right' });
    await watch.choose('Page settings');
    await tab.getByLabel('Shown if').fill(`visitor${words.text('', 200)}`);
    await watch.press('Save');
    await watch.says('Not done');
    await watch.visit(workspace.current.home(`/s/${space.id}/~/files`));
    const actions = `Actions of ${file}`;
    for (const [item, said] of [
      ['Where it is used', `“${file}” is used on`],
      ['Rename', file],
      ['Delete', file],
    ] as const) {
      await watch.press(collapsed(actions));
      await watch.choose(item);
      await tab.getByRole('dialog').waitFor();
      await watch.says(said);
      await watch.leave();
    }
    const chosen = tab.waitForEvent('filechooser');
    await watch.press('Upload files');
    const name = words.text('notes.txt', 200).replaceAll('/', ' ');
    await (await chosen).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('notes') });
    await watch.says(name);

    await watch.visit(workspace.current.home(`/s/${space.id}/~/pages/${id}`));
    await rowOf(page).focus();
    await tab.keyboard.press('Delete');
    await watch.says(`“${page}” was deleted`);
    await watch.press('Undo');
    // A space that is locked meanwhile, or a screen that is left, would leave the page deleted.
    await watch.says('It is back');
    succeeded(await api.patch(`/spaces/${space.id}`, { editMode: 'locked' }));
    await watch.visit(workspace.current.home(`/s/${space.id}/~/pages/${id}`));
    await watch.press('Edit');
    await watch.says(`#1 ${subject}`);
    await watch.leave();
    await tab.keyboard.press('Control+k');
    const search = tab.getByPlaceholder('Pages, spaces, people, actions');
    for (const [query, said] of [
      ['', page],
      ['Manual', title],
      [subject, `Search for “${subject}” everywhere`],
    ] as const) {
      await search.fill(query);
      await watch.says(said);
    }
    await watch.leave();
    await rowOf(title).click({ button: 'right' });
    await watch.choose('Delete');
    await watch.says(`${title} is in the trash for seven days.`);
    await watch.visit(workspace.current.home('/trash'));
    await watch.press(collapsed(`Restore ${title}`));
    await watch.says(`${title} is back.`);
    watch.settle();
  }, 300_000);

  it('are shown as text in menus, dialogs and messages of people', async () => {
    const { organization } = workspace.current;
    const words = new HostileWords();
    const [name, token] = [words.text('Member', 64), words.text('Program', 100)];
    const member = await organization.member('read');
    succeeded(await member.api.patch(`/users/${member.id}`, { displayName: name }));
    succeeded(await organization.admin.api.post('/user/tokens', { name: token }));
    const watch = await administrator();
    const { page } = watch;

    await watch.visit(workspace.current.home('/people?search=Member'));
    for (const [item, said] of [
      ['Make a sign-in link', `Sign-in link for ${name}`],
      ['Sessions', `Sessions of ${name}`],
      ['Remove from the organization', `Remove ${name}?`],
    ] as const) {
      await watch.press(collapsed(`Actions for ${name}`));
      await watch.choose(item);
      await watch.says(said);
      if (item !== 'Remove from the organization') await watch.leave();
    }
    await page.getByRole('dialog').getByRole('button', { name: 'Remove from the organization' }).click();
    await watch.says(`${name} is no member any more.`);
    await watch.visit(workspace.current.home('/people?tab=invitations'));
    const addresses = page.getByLabel('E-mail addresses');
    await addresses.fill(hostileTexts(SCRIPT).join(' '));
    await watch.press('Invite');
    await watch.says('Not done');
    for (const address of ADDRESSES) {
      await addresses.fill(address);
      await watch.press('Invite');
      await page.getByRole('button', { name: `Revoke the invitation of ${address}`, exact: true }).click();
      await watch.says(`The invitation of ${address} is revoked.`);
    }
    await watch.visit(workspace.current.at('/account?tab=tokens'));
    await watch.press(collapsed(`End ${token}`));
    await watch.says(`End ${token}?`);
    await watch.leave();
    watch.settle();

    const outside = await Watch.begin(browsing);
    for (const address of ADDRESSES) {
      await outside.visit(workspace.current.at('/sign-in'));
      await outside.page.getByLabel('E-mail address').fill(address);
      await outside.press('Send a sign-in link');
      await outside.says(`If there is an account for ${address}`);
    }
    outside.settle();
  }, 300_000);

  it('do no harm as addresses that no browser can read, or that only look like those of the workspace', async () => {
    const space = await buildSpace(workspace.current.organization, 'Links');
    const [id = ''] = await space.write({
      operation: 'insert_page',
      title: 'Links',
      document: { markdown: 'A text.' },
    });
    const watch = await administrator();
    const { page } = watch;
    await watch.visit(workspace.current.home(`/s/${space.id}/~/pages/${id}`));
    await page.getByText('A text.').waitFor();
    const beside = new URL('/appx', workspace.current.at('')).href;
    const links = `<p><a href="#%">Cut</a>, <a href="http://[">broken</a>, <a href="${beside}">beside</a></p>`;
    await page.evaluate(`[...document.querySelectorAll('*')]
      .flatMap(({ shadowRoot }) => shadowRoot?.querySelector('.content') ?? [])
      .forEach((content) => content.insertAdjacentHTML('beforeend', ${JSON.stringify(links)}))`);
    await page.getByText('Cut').click();
    const opened = page.waitForEvent('popup');
    await page.getByText('beside').click();
    expect(new URL((await opened).url()).pathname).toBe('/appx');
    await (await opened).close();
    await page.getByText('broken').click();
    await page.getByText('A text.').waitFor();
    watch.settle();
  }, 300_000);

  it('run nothing as addresses of links, as front matter, and as drawings that are opened', async () => {
    const { organization, app } = workspace.current;
    const words = new HostileWords();
    const space = await buildSpace(organization, 'Addresses');
    const addresses = hostileAddresses(SCRIPT);
    const standIn = (index: number): string => `https://unsafe.example/${index}/`;
    const links = addresses.map((_, index) => ({
      operation: 'insert_page',
      type: 'link',
      title: `Link ${index}`,
      target: { kind: 'url', url: standIn(index) },
    }));
    const head = JSON.stringify(words.text('Said first', 200));
    const [page = '', , ...pages] = await space.write(
      {
        operation: 'insert_page',
        title: 'Links',
        document: {
          markdown: `---\ndescription: ${head}\nown: ${head}\n---\n\n${addresses.map((_, index) => `[link ${index}](${standIn(index)})`).join('\n\n')}`,
        },
      },
      {
        operation: 'insert_files',
        files: [{ name: 'a.svg', contentType: 'image/svg+xml', base64: Buffer.from(words.svg).toString('base64') }],
      },
      ...links,
    );
    // The interface refuses such addresses now; they may have been stored before.
    for (const [index, address] of addresses.entries()) {
      const values = [space.id, standIn(index), JSON.stringify(address).slice(1, -1)];
      for (const statement of STORED) await app.database.query(statement, values);
    }
    const watch = await administrator();
    for (const id of [page, ...pages]) {
      await watch.visit(workspace.current.home(`/s/${space.id}/~/pages/${id}`));
      const link = watch.page.getByText(/^(link \d|[^]*hacked[^]*)$/).last();
      if ((await link.count()) > 0) await link.click();
      await watch.look();
    }
    await watch.visit(workspace.current.home(`/s/${space.id}/~/pages/${page}?edit=true`));
    expect(watch.shown.filter((text) => words.said.every((said) => text.includes(said))).length).toBeGreaterThan(0);

    const { items } = succeeded(
      await organization.admin.api.get<{ items: { downloadURL: string }[] }>(`/spaces/${space.id}/content/files`),
    );
    const { downloadURL = '' } = items[0] ?? {};
    const download = watch.page.waitForEvent('download');
    await watch.page.goto(downloadURL).catch(() => undefined);
    expect((await download).suggestedFilename()).toBe('a.svg');
    expect((await fetch(downloadURL)).headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*; sandbox$/,
    );
    watch.settle();
  }, 300_000);
});
