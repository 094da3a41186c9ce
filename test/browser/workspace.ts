import { afterAll, beforeAll } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { SignInLinks } from '../../src/identity/sessions/sign-in-links.service.js';
import { Users } from '../../src/identity/users/users.service.js';
import { Addresses } from '../../src/kernel/common/addresses.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import type { AddedModule } from '../../src/kernel/platform/manifest/added-modules.js';
import { PublicListener } from '../../src/kernel/platform/public-listener.js';
import { manifestsOf } from '../../src/manifests.js';
import { TestApp } from '../app.js';
import { buildOrganization, type Person, type Workspace } from '../build.js';
import type { Answer } from '../client.js';
import { MailServer } from '../mail-server.js';
import type { Space } from '../published-site.js';
import type { Browsing } from './browser.js';

const LINK_MINUTES = 15;

type Settings = Readonly<Record<string, string>>;

/** The body of an answer; anything but success throws. */
export function succeeded<Body>({ status, body }: Answer<Body>): Body {
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A change that gives a page another text. */
export const edit = (page: string, markdown: string) => ({ operation: 'update_page', page, document: { markdown } });

/** Goes to an address, and waits until its screen has loaded what it shows. */
export async function show(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('h1, .cm-content').first().waitFor();
  for (const part of await page.getByLabel('Loading', { exact: true }).all()) await part.waitFor({ state: 'detached' });
  // Another screen may have taken the place of the one that was loading, such as an editor.
  await page.locator('h1').first().waitFor({ state: 'attached' });
}

/** Signs in by a link. */
export async function enter(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /^Account of/ }).waitFor();
}

/** One organization in the workspace of a server that sends mail and has a public listener. */
export class BrowsedWorkspace {
  private origin: string;

  private constructor(
    private readonly browsing: Browsing,
    readonly app: TestApp,
    readonly mail: MailServer,
    readonly organization: Workspace,
    /** The origin of published sites. */
    readonly publicOrigin: string,
  ) {
    this.origin = app.url;
  }

  /** With modules from elsewhere, whose tables are made first. */
  static async start(
    browsing: Browsing,
    settings: Settings = {},
    modules: readonly AddedModule[] = [],
  ): Promise<BrowsedWorkspace> {
    const mail = await MailServer.start();
    const environment = { SMTP_URL: mail.url, MAIL_FROM: 'Bindery <docs@example.com>', ...settings };
    const app = await TestApp.start(environment, undefined, modules, manifestsOf(modules));
    const publicOrigin = `http://localhost:${await app.get(PublicListener).listen()}`;
    app.get(Addresses).announce(app.url, publicOrigin);
    return new BrowsedWorkspace(browsing, app, mail, await buildOrganization(app), publicOrigin);
  }

  async stop(): Promise<void> {
    await this.app.get(PublicListener).beforeApplicationShutdown();
    await this.app.close();
    await this.mail.stop();
  }

  /** Lets browsers open the workspace at another origin, such as that of a balancer before servers on the same database. */
  moveTo(origin: string): void {
    this.origin = origin;
    this.app.get(Addresses).announce(origin, this.publicOrigin);
  }

  /** The address of a screen. */
  at(path: string): string {
    return `${this.origin}/app${path}`;
  }

  /** The address of a screen of the organization. */
  home(path = ''): string {
    return this.at(`/o/${this.organization.id}${path}`);
  }

  /** The address of a link that signs a person in. */
  async linkFor({ id }: Person): Promise<string> {
    const user = await this.app.get(Users).get(id);
    return (await this.app.get(SignInLinks).forUser(user, LINK_MINUTES)).url;
  }

  /** A tab in which a person is signed in, at an address. */
  async signedIn(person: Person, address: string, options?: BrowserContextOptions): Promise<Page> {
    const { page } = await this.browsing.open(options);
    await enter(page, await this.linkFor(person));
    await show(page, address);
    return page;
  }

  /** The address in the letter to somebody, which is sent in the background; empty without a letter. */
  async addressFor(email: string, pattern: RegExp): Promise<string> {
    await this.app.get(Jobs).drain();
    const letter = this.mail.letters.find(({ to }) => to === email);
    return pattern.exec((letter?.data ?? '').replaceAll('=\n', '').replaceAll('=3D', '='))?.[0] ?? '';
  }

  /** Opens a change request of the administrator; gives its path in the interface. */
  async propose(space: Space, subject: string, change: object): Promise<{ number: number; path: string }> {
    const { api } = this.organization.admin;
    const requests = `/spaces/${space.id}/change-requests`;
    const { id, number } = succeeded(await api.post<{ id: string; number: number }>(requests, { subject }));
    const path = `${requests}/${id}`;
    succeeded(await api.post(`${path}/content`, { changes: [change] }));
    succeeded(await api.patch(path, { status: 'open' }));
    return { number, path };
  }
}

/** The workspace of the tests of a file. */
export function useWorkspace(
  browsing: Browsing,
  settings?: Settings,
  modules: () => Promise<readonly AddedModule[]> = async () => [],
): { readonly current: BrowsedWorkspace } {
  const held: { current?: BrowsedWorkspace } = {};
  beforeAll(async () => {
    held.current = await BrowsedWorkspace.start(browsing, settings, await modules());
  }, 600_000);
  afterAll(() => held.current?.stop());
  return {
    get current() {
      if (held.current === undefined) throw new Error('the workspace is not started yet');
      return held.current;
    },
  };
}
