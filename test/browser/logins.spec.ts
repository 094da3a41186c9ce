import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { TestApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import { Client } from '../client.js';
import { address } from '../security/login-pages.js';
import { OidcIdentityProvider } from '../security/oidc/identity-provider.js';
import { IdentityProvider } from '../security/saml/identity-provider.js';
import { Logins, type Provider } from '../security/saml/logins.js';
import { accessibilityFaults, describeInBrowser, type Tab } from './browser.js';

/** Serves pages on `localhost`, which is another site than the 127.0.0.1 of the service. */
async function serve(
  path: string,
  page: (url: URL) => Promise<string> | string,
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    Promise.resolve(url.pathname === path ? page(url) : '').then(
      (html) => response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, server };
}

describeInBrowser('a login in a browser', (browsing) => {
  const idp = new IdentityProvider();
  const oidc = new OidcIdentityProvider();
  let app: TestApp;
  let application: Awaited<ReturnType<typeof serve>>;
  let workspace: Workspace;
  let provider: Provider;

  beforeAll(async () => {
    application = await serve('/login', async ({ searchParams }) => {
      const answer = await new Client(app.url, undefined).post<{ token: string; user: { displayName: string } }>(
        '/auth/exchange',
        { code: searchParams.get('code') },
      );
      const { status } = await new Client(app.url, answer.body.token).get(`/orgs/${workspace.id}`);
      return `<!doctype html><title>Application</title><h1>Hello, ${answer.body.user.displayName}</h1><p id="status">${status}</p><p id="state">${searchParams.get('state') ?? ''}</p>`;
    });
    app = await TestApp.start({ SSO_RETURN_URLS: `${application.url}/login` });
    await idp.start();
    idp.asks = true;
    workspace = await buildOrganization(app);
    await workspace.admin.api.patch(`/orgs/${workspace.id}`, { title: 'Cartographers' });
    provider = await new Logins(idp).addProvider(workspace, {
      defaultRole: 'read',
      ssoURL: `${idp.url.replace('127.0.0.1', 'localhost')}/sso`,
    });
  }, 600_000);

  afterAll(async () => {
    await idp.stop();
    await oidc.stop();
    application.server.close();
    await app.close();
  });

  async function open(url: string, options?: BrowserContextOptions): Promise<Tab> {
    const tab = await browsing.open(options);
    await tab.page.goto(url);
    return tab;
  }

  async function giveName(page: Page, email: string, password = 'secret'): Promise<void> {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button').click();
  }

  it('leads from the start through the form of an identity provider on another site to a page with a token', async () => {
    const { page, faults } = await open(provider.service.startURL);
    expect(new URL(page.url()).hostname).toBe('localhost');
    await giveName(page, 'ada@example.com', 'wrong');
    await giveName(page, 'ada@example.com');
    await page.waitForURL(/\/finish\?/);
    const token = await page.locator('#token').innerText();
    expect(await page.locator('main').innerText()).toContain('It works in Cartographers only');
    expect((await new Client(app.url, token).get(`/orgs/${workspace.id}`)).status).toBe(200);
    expect(await page.evaluate<string>('document.cookie')).toBe('');
    expect(
      (await page.context().cookies()).map(({ name, httpOnly, sameSite, path }) => ({
        name,
        httpOnly,
        sameSite,
        path,
      })),
    ).toEqual([{ name: 'bindery-login', httpOnly: true, sameSite: 'Lax', path: '/sso' }]);
    expect(faults).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'token');
    // What was shown once is not shown again, and the way back to the beginning is there.
    await page.reload();
    expect(await page.locator('#reason').innerText()).toContain('over');
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'over');
    await page.getByRole('link', { name: 'Log in again' }).click();
    await page.getByLabel('E-mail').waitFor();
  });

  it('can be read on a phone, in the dark', async () => {
    const { page } = await open(provider.service.startURL, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      colorScheme: 'dark',
    });
    await giveName(page, 'grace@example.com');
    await page.locator('#token').waitFor();
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'token-phone-dark');
  });

  it('returns to an application, which turns the code into a token', async () => {
    const { page, faults } = await open(
      `${provider.service.startURL}?returnTo=${encodeURIComponent(`${application.url}/login?state=7`)}`,
    );
    await giveName(page, 'ada@example.com');
    await page.waitForURL(`${application.url}/**`);
    expect([
      await page.getByRole('heading').innerText(),
      await page.locator('#status').innerText(),
      await page.locator('#state').innerText(),
    ]).toEqual(['Hello, Ada Lovelace', '200', '7']);
    expect(faults).toEqual([]);
  });

  it('says why somebody is not let in', async () => {
    const { page } = await open(provider.service.startURL);
    await giveName(page, workspace.admin.email);
    await page.locator('#reason').waitFor();
    expect(await page.locator('#reason').innerText()).toContain('Log in with it as before');
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'own-account');
    const elsewhere = await open(provider.service.startURL.replace(provider.id, 'AbCdEfGh0123456789Xy'));
    expect(await elsewhere.page.locator('#reason').innerText()).toContain('not found');
    expect(await elsewhere.page.getByRole('link').count()).toBe(0);
    await browsing.take(elsewhere.page, 'unknown-provider');
  });

  it('shows administrators what to compare, and leads back to the application', async () => {
    const wrong = await new Logins(idp).addProvider(workspace, {
      entityID: 'https://login.example.com/an-entity-id-of-some-length/metadata',
      ssoURL: `${idp.url.replace('127.0.0.1', 'localhost')}/sso`,
    });
    const returnTo = encodeURIComponent(`${application.url}/login?state=7`);
    const { page } = await open(`${wrong.service.startURL}?returnTo=${returnTo}`, {
      viewport: { width: 390, height: 844 },
    });
    await giveName(page, 'ada@example.com');
    expect((await page.locator('#compared').innerText()).split(/\s+/)).toEqual([
      'What',
      'Expected',
      'Received',
      'Issuer',
      wrong.entityID,
      idp.entityID,
    ]);
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'compared-phone');
    expect(await page.getByRole('link', { name: 'Log in again' }).getAttribute('href')).toBe(
      `start?returnTo=${returnTo}`,
    );
    await page.getByRole('link', { name: 'Log in again' }).click();
    await page.getByLabel('E-mail').waitFor();
  });

  it('goes through OpenID Connect as well, and says why somebody is not let in', async () => {
    await oidc.start();
    oidc.asks = true;
    const path = `/orgs/${workspace.id}/oidc`;
    const made = await workspace.admin.api.post<{ id: string; service: { redirectURL: string; startURL: string } }>(
      path,
      { label: 'Identity', issuer: oidc.url, defaultRole: 'read' },
    );
    const { redirectURL, startURL } = made.body.service;
    await workspace.admin.api.patch(`${path}/${made.body.id}`, oidc.register(redirectURL));
    const giveEmail = async (page: Page, email: string) => {
      await page.getByLabel('E-mail').fill(email);
      await page.getByRole('button').click();
    };
    const { page } = await open(startURL);
    await giveEmail(page, 'hedy@example.com');
    const token = await page.locator('#token').innerText();
    expect((await new Client(app.url, token).get('/user')).body).toMatchObject({ email: 'hedy@example.com' });
    await browsing.take(page, 'openid-connect');
    const refused = await open(startURL);
    await giveEmail(refused.page, workspace.admin.email);
    expect(await refused.page.locator('#reason').innerText()).toContain('Log in with it as before');
    await browsing.take(refused.page, 'openid-connect-own-account');
  });

  it('3b-21 is not ended for others by a form of somebody who has begun it', async () => {
    const attacker = await open(provider.service.startURL);
    const { xml, relayState } = await idp.answer(attacker.page.url(), { email: address() });
    const evil = await serve(
      '/',
      () =>
        `<!doctype html><form method="post" action="${provider.service.acsURL}"><input name="SAMLResponse" value="${Buffer.from(xml).toString('base64')}"><input name="RelayState" value="${relayState}"></form><script>document.forms[0].submit()</script>`,
    );
    try {
      const victim = await open(provider.service.startURL);
      await victim.page.goto(evil.url);
      await victim.page.locator('#reason').waitFor();
      expect(await victim.page.locator('#reason').innerText()).toContain('another browser');
      await browsing.take(victim.page, 'another-browser');
      // The answer itself is a good one: it waits for the browser that began.
      await attacker.page.goto(victim.page.url());
      expect(await attacker.page.locator('#token').innerText()).toMatch(/^bdy_/);
    } finally {
      evil.server.close();
    }
  });
});
