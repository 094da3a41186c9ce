import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { buildSpace, publish } from '../published-site.js';
import { makeIdentity } from '../security/saml/certificates.js';
import { OidcIdentityProvider } from '../security/oidc/identity-provider.js';
import { IdentityProvider } from '../security/saml/identity-provider.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { edit, show, succeeded, useWorkspace } from './workspace.js';

/** Waits for the transitions of colours and of the sidebar. */
const AT_REST = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
  Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))).then(() => resolve(null)))))`;

describeInBrowser('settings in the workspace', (browsing) => {
  const workspace = useWorkspace(browsing);
  const idp = new IdentityProvider();
  const oidc = new OidcIdentityProvider();
  beforeAll(async () => {
    await Promise.all([idp.start(), oidc.start()]);
    idp.asks = oidc.asks = true;
  });
  afterAll(() => idp.stop());

  const adminAt = (path: string): Promise<Page> =>
    workspace.current.signedIn(workspace.current.organization.admin, workspace.current.home(path));

  /** The metadata of the identity provider, on another site than the workspace. */
  function metadata(): string {
    const certificate = idp.identity.certificate.replaceAll(/-----[^-]+-----|\s/g, '');
    const location = `${idp.url.replace('127.0.0.1', 'localhost')}/sso`;
    return `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${idp.entityID}">
      <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
        <md:KeyDescriptor use="encryption"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>AAAA</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
        <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
        <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example.com/post"/>
        <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${location}"/>
      </md:IDPSSODescriptor></md:EntityDescriptor>`;
  }

  async function logIn(page: Page, email: string): Promise<void> {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill('secret');
    await page.getByRole('button').click();
  }

  /** Fails unless a screen is accessible in both schemes, and fits into 380 pixels. */
  async function fits(page: Page): Promise<void> {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(AT_REST);
      expect(await accessibilityFaults(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 380, height: 800 });
    await page.evaluate(AT_REST);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(380);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  it('add an identity provider from its metadata, and show what a test login brings', async () => {
    const { organization } = workspace.current;
    const page = await adminAt('');
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('heading', { name: 'No identity provider' }).waitFor();
    await fits(page);
    await page.getByRole('button', { name: 'Add a provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('Okta');
    await dialog.getByLabel('Metadata of the identity provider').fill('<no/>');
    await dialog.getByText('This is no metadata of an identity provider').waitFor();
    await dialog.getByLabel('Metadata of the identity provider').fill(metadata());
    await dialog.getByText('The fields below are filled from the metadata.').waitFor();
    expect(await dialog.getByLabel('Name of the identity provider (entityID)').inputValue()).toBe(idp.entityID);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Okta' }).waitFor();
    expect(await page.getByLabel('Where it sends its answers (ACS)').inputValue()).toMatch(/\/sso\/saml\/\w+\/acs$/);
    await page.getByRole('button', { name: 'Begin a test login' }).click();
    await logIn(page, 'ada@example.com');
    await page.getByText('A new account with the name Ada Lovelace would be made.').waitFor();
    await page.getByRole('cell', { name: 'last_name' }).waitFor();
    expect(new URL(page.url()).searchParams.get('test')).toMatch(/^_test/);
    await fits(page);
    await browsing.take(page, 'test-login');
    expect(succeeded(await organization.admin.api.get(`/orgs/${organization.id}/members`))).toMatchObject({ count: 1 });

    await page.getByLabel('Certificate').fill(makeIdentity().certificate);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.getByText('This test is over, or somebody else began it.').waitFor();
    await page.getByRole('button', { name: 'Begin a test login' }).click();
    await logIn(page, 'ada@example.com');
    await page.getByText('its signature does not fit the certificate that is set here').waitFor();
    await page.getByRole('cell', { name: 'SHA-256 of the certificate' }).waitFor();
    await fits(page);

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No identity provider' }).waitFor();
  });

  it('add a provider of OpenID Connect, whose secret is never shown, and test a login through it', async () => {
    const { organization } = workspace.current;
    const { id, admin } = organization;
    const page = await adminAt('/settings');
    await page.getByRole('button', { name: 'Add a provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('Keycloak');
    await dialog.getByRole('combobox', { name: 'Protocol' }).click();
    await page.getByRole('option', { name: 'OpenID Connect' }).click();
    expect(await dialog.getByLabel('Label').inputValue()).toBe('Keycloak');
    await dialog.getByLabel('Issuer').fill('https://login.example.com?x=1');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'issuer: must not have a part after ?' }).waitFor();
    // Another site than the workspace, as identity providers are.
    await dialog.getByLabel('Issuer').fill(oidc.url);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Keycloak' }).waitFor();
    await page.getByText('not set up yet').waitFor();
    await page.getByText('these settings are to be given: Client ID, Client secret.').waitFor();
    expect(await page.getByRole('button', { name: 'Begin a test login' }).isDisabled()).toBe(true);

    const redirectURL = await page.getByLabel('Where it sends people back to').inputValue();
    const { clientID, clientSecret } = oidc.register(redirectURL);
    await page.getByLabel('Client ID').fill(clientID);
    await page.getByLabel('Client secret').fill('not the secret');
    await page.getByRole('combobox', { name: 'Domains of e-mail addresses' }).fill('example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.getByText('nobody has logged in yet').waitFor();
    expect(await page.getByLabel('Client secret').inputValue()).toBe('');
    await page.getByText('A secret is set, and is never shown.').waitFor();
    const [provider] = succeeded(
      await admin.api.get<{ items: { id: string; emailDomains: string[] }[] }>(`/orgs/${id}/oidc`),
    ).items;
    expect(provider?.emailDomains).toEqual(['example.com']);

    const testLogin = async (email: string): Promise<void> => {
      // Nobody is signed in at the identity provider from before.
      await page.context().clearCookies({ name: /^_/ });
      await page.getByRole('button', { name: 'Begin a test login' }).click();
      await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('heading', { level: 1, name: 'Keycloak' }).waitFor();
    };
    await testLogin('ada@example.com');
    await page.getByText('compare client id and secret').waitFor();
    await page.getByLabel('Client secret').fill(clientSecret);
    // What is typed would be lost on the way.
    await page.getByText('Save the settings first').waitFor();
    expect(await page.getByRole('button', { name: 'Begin a test login' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This test is over, or somebody else began it.').waitFor();
    await testLogin('ada@example.org');
    await page.getByText('Your e-mail address is of no domain that is let in here').waitFor();
    await page.getByRole('cell', { name: 'ada@example.org' }).first().waitFor();
    oidc.wish = { claims: { name: undefined } };
    await testLogin('ada@example.com');
    await page.getByText('A new account with the name ada would be made.').waitFor();
    await page.getByText('they did not come: name.').waitFor();
    await fits(page);
    expect(succeeded(await admin.api.get(`/orgs/${id}/members`))).toMatchObject({ count: 1 });

    // Who goes back from the identity provider sees that it has not answered.
    oidc.wish = {};
    await page.context().clearCookies({ name: /^_/ });
    await page.getByRole('button', { name: 'Begin a test login' }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor();
    await page.goBack();
    await page.getByText('The identity provider has not answered').waitFor();

    // A provider that cannot be asked is told of at once.
    await oidc.stop();
    await page.getByLabel('Label').fill('Gone');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Gone' }).waitFor();
    await page.getByRole('button', { name: 'Begin a test login' }).click();
    await page.getByText('The settings of the identity provider cannot be read').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No identity provider' }).waitFor();
  });

  it('say what the service refuses, and show others than administrators nothing', async () => {
    const { organization } = workspace.current;
    const provider = succeeded(
      await organization.admin.api.post<{ id: string }>(`/orgs/${organization.id}/saml`, { label: 'Bare' }),
    );
    const page = await adminAt('/settings');
    await page.getByRole('switch', { name: 'Members have to sign in through a provider' }).press(' ');
    await page.getByRole('alert').filter({ hasText: 'Not done' }).waitFor();
    expect(await page.getByRole('switch').isChecked()).toBe(false);
    await page.getByRole('link', { name: 'Bare' }).click();
    await page.getByText('these settings are to be given: Name of the identity provider').waitFor();
    expect(await page.getByRole('button', { name: 'Begin a test login' }).isDisabled()).toBe(true);
    await page.getByLabel('Certificate').fill('none');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('textarea[aria-invalid=true]').waitFor();
    const member = await organization.member('create');
    const other = await workspace.current.signedIn(member, workspace.current.home('/settings'));
    await other.getByText('Only administrators of the organization see this.').waitFor();
    expect(await other.getByRole('link', { name: 'Settings', exact: true }).count()).toBe(0);
    await show(other, workspace.current.home(`/settings/sso/saml/${provider.id}`));
    await other.getByText('Only administrators of the organization see this.').waitFor();
  });

  it('test the merge rules of a space before they are saved, and save them', async () => {
    const { organization } = workspace.current;
    const { admin } = organization;
    succeeded(await admin.api.patch(`/users/${admin.id}`, { displayName: 'Administrator' }));
    const reviewer = await organization.member('review');
    succeeded(await reviewer.api.patch(`/users/${reviewer.id}`, { displayName: 'Grace' }));
    const space = await buildSpace(organization, 'Ruled');
    const [install = ''] = await space.write({
      operation: 'insert_page',
      title: 'Install',
      document: { markdown: 'Node.js' },
    });
    await workspace.current.propose(space, 'Newer', edit(install, 'Needs Node.js 22.'));
    const page = await adminAt(`/s/${space.id}/~/merge-rules`);
    await page.getByRole('combobox', { name: 'Rules in force' }).click();
    await page.getByRole('option', { name: 'The rules below' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('combobox', { name: 'Rule 2' }).click();
    await page.getByRole('option', { name: 'An expression comes to true' }).click();
    await page.getByLabel('Expression').fill('changeRequest.subject === "Newer"');
    await page.getByRole('combobox', { name: 'Change request' }).click();
    await page.getByRole('option', { name: /Newer/ }).click();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('The rules do not let this person merge').waitFor();
    const answers = page.getByRole('list', { name: 'Rules' });
    expect(await answers.getByRole('img', { name: 'Does not hold' }).count()).toBe(1);
    await answers.getByText('nobody has approved the change request as it is now').waitFor();
    await fits(page);
    await browsing.take(page, 'merge-rules');

    await page.getByRole('radio', { name: 'Facts' }).press(' ');
    await page.getByText('The rules or the facts have changed').waitFor();
    await page.getByLabel('Subject').fill('Newer');
    await page.getByRole('button', { name: 'Add a review' }).click();
    await page.getByRole('combobox', { name: 'Reviewer 1' }).click();
    await page.getByRole('option', { name: 'Grace' }).click();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('The rules let this person merge').waitFor();
    await fits(page);

    await page.getByLabel('Expression').fill('reviews.lenght > 1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('input[aria-invalid=true]').waitFor();
    await page.getByLabel('Expression').fill('reviews.length > 0');
    await page.getByRole('button', { name: 'Move rule 2 up' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    expect(succeeded(await admin.api.get(`/spaces/${space.id}`))).toMatchObject({
      mergeRules: {
        type: 'rules',
        rules: [{ rule: 'custom', expression: 'reviews.length > 0' }, { rule: 'require_at_least_one_approved_review' }],
      },
    });
    const other = await workspace.current.signedIn(reviewer, workspace.current.home(`/s/${space.id}/~/merge-rules`));
    await other.getByText('Only people with the role of a creator').waitFor();
  });

  it('have the merge rules of the organization', async () => {
    const { organization } = workspace.current;
    const page = await adminAt('/settings?tab=rules');
    await page.getByRole('combobox', { name: 'Rules in force' }).click();
    await page.getByRole('option', { name: 'The rules below' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('combobox', { name: 'Rule 1' }).click();
    await page.getByRole('option', { name: 'These people are free from the rules above' }).click();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('mergeRules.rules.0.users').waitFor();
    await page.getByRole('combobox', { name: 'People' }).click();
    await page.getByRole('option', { name: 'Administrator' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('The rules let this person merge').waitFor();
    await fits(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.reload();
    await page.getByText('Administrator', { exact: true }).first().waitFor();
    expect(succeeded(await organization.admin.api.get(`/orgs/${organization.id}`))).toMatchObject({
      mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: [organization.admin.id] }] },
    });
  });

  it('upload a font, show it, give it to a site, and keep it while the site uses it', async () => {
    const { organization } = workspace.current;
    const home = (path: string): string => workspace.current.home(path);
    const { admin, id } = organization;
    const page = await adminAt('/settings?tab=fonts');
    await page.getByRole('heading', { name: 'No fonts' }).waitFor();
    await page.getByRole('button', { name: 'Add a font' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Acme Sans');
    const files = join(import.meta.dirname, '../../node_modules/@fontsource-variable/overpass/files');
    const choose = async (button: string, file: string): Promise<void> => {
      const chooser = page.waitForEvent('filechooser');
      await dialog.getByRole('button', { name: button }).click();
      await (await chooser).setFiles(join(files, file));
    };
    await choose('Choose the file of weight 1', 'overpass-latin-wght-normal.woff2');
    await dialog.getByText('overpass-latin-wght-normal.woff2').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('rowheader', { name: 'Acme Sans' }).waitFor();
    await page.locator('[data-state=loaded]').waitFor();
    await fits(page);
    await page.getByRole('button', { name: 'Change Acme Sans' }).click();
    await dialog.getByRole('button', { name: 'Add a weight' }).click();
    await choose('Choose the file of weight 2', 'overpass-latin-wght-italic.woff2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('400, 700').waitFor();

    const site = await publish(organization, [await buildSpace(organization, 'Set in Acme')]);
    succeeded(await admin.api.patch(`/orgs/${id}/sites/${site.id}`, { title: 'Printed' }));
    await show(page, home(`/sites/${site.id}?tab=look`));
    await page.getByRole('combobox', { name: 'Font', exact: true }).click();
    await page.getByRole('option', { name: /Acme Sans/ }).click();
    await page.getByRole('button', { name: 'Save the look' }).click();
    await page.getByText('The look is saved.').waitFor();
    expect(succeeded(await admin.api.get(`/orgs/${id}/sites/${site.id}/customization`))).toMatchObject({
      styling: { font: { custom: true, fontFamily: 'Acme Sans' } },
    });
    await show(page, home('/settings?tab=fonts'));
    await page.getByRole('button', { name: 'Delete Acme Sans' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The site “Printed” uses this font').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    succeeded(await admin.api.delete(`/orgs/${id}/sites/${site.id}`));
    await page.getByRole('button', { name: 'Delete Acme Sans' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No fonts' }).waitFor();
  });

  it('say how long data are kept, and let the organization say it of conversations', async () => {
    const { organization } = workspace.current;
    const path = `/orgs/${organization.id}/conversations-settings`;
    const page = await adminAt('/settings?tab=retention');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    expect(await row('RETENTION_DAYS').filter({ hasText: 'Deleted spaces' }).innerText()).toContain('7 days');
    expect(await row('AUDIT_RETENTION_DAYS').innerText()).toContain('at least 400 days');
    await fits(page);
    await page.getByLabel('Days that conversations are kept').fill('90');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    expect(succeeded(await organization.admin.api.get(path))).toMatchObject({ retentionDays: 90 });
    await page.getByRole('link', { name: 'Show the trash' }).click();
    await page.getByText('Deleted spaces stay here for 7 days, as the operator of the service has set it.').waitFor();
    const space = await buildSpace(organization, 'Old');
    succeeded(await organization.admin.api.delete(`/spaces/${space.id}`));
    await page.reload();
    await page.getByRole('button', { name: 'Delete for good: Old' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('Old is deleted for good.').waitFor();
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
    await fits(page);
  });

  it('look for the records of a hostname for two minutes, and then when somebody asks', async () => {
    const { organization } = workspace.current;
    const { admin, id } = organization;
    const site = await publish(organization, [await buildSpace(organization, 'Named')]);
    succeeded(await admin.api.patch(`/orgs/${id}/sites/${site.id}`, { hostname: 'docs.example.com' }));
    const page = await adminAt('');
    await page.clock.install();
    let looks = 0;
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes('/custom-hostnames/')) looks += 1;
    });
    const body = { object: 'custom-hostname', hostname: 'docs.example.com', isActive: false };
    await page.route('**/v1/custom-hostnames/*', (route) => route.fulfill({ json: body }));
    await page.goto(workspace.current.home(`/sites/${site.id}?tab=addresses`));
    await page.getByRole('button', { name: 'Check now' }).waitFor();
    const over = page.getByText('this screen looks no more');
    expect(await over.count()).toBe(0);
    for (let step = 0; step < 60 && (await over.count()) === 0; step += 1) {
      await page.clock.runFor(3000);
      await page.waitForLoadState('networkidle');
    }
    await over.waitFor();
    expect(looks).toBeGreaterThan(1);
    const before = looks;
    await page.clock.runFor(60_000);
    await page.waitForLoadState('networkidle');
    expect(looks).toBe(before);
    await page.getByRole('button', { name: 'Check now' }).click();
    await over.waitFor({ state: 'detached' });
  });
});
