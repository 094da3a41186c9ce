import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { buildSpace } from '../published-site.js';
import { makeIdentity } from '../security/saml/certificates.js';
import { IdentityProvider } from '../security/saml/identity-provider.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { edit, show, succeeded, useWorkspace } from './workspace.js';

/** Waits for the transitions of colours and of the sidebar. */
const AT_REST = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
  Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))).then(() => resolve(null)))))`;

describeInBrowser('settings in the workspace', (browsing) => {
  const workspace = useWorkspace(browsing);
  const idp = new IdentityProvider();
  beforeAll(async () => {
    await idp.start();
    idp.asks = true;
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
    await page.getByText('Give the name, the address and the certificate').waitFor();
    expect(await page.getByRole('button', { name: 'Begin a test login' }).isDisabled()).toBe(true);
    await page.getByLabel('Certificate').fill('none');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('textarea[aria-invalid=true]').waitFor();
    const member = await organization.member('create');
    const other = await workspace.current.signedIn(member, workspace.current.home('/settings'));
    await other.getByText('Only administrators of the organization see this.').waitFor();
    expect(await other.getByRole('link', { name: 'Settings', exact: true }).count()).toBe(0);
    await show(other, workspace.current.home(`/settings/sso/${provider.id}`));
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
});
