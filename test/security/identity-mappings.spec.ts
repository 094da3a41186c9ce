import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { newId } from '../../src/kernel/common/ids.js';
import { brings } from '../../src/kernel/platform/manifest/registry.js';
import { defineModule } from '../../src/kernel/platform/manifest/manifest.js';
import {
  IDENTITY_MAPPINGS,
  type AssertedIdentity,
  type IdentityMapping,
  type MappedIdentity,
} from '../../src/identity/sso/sso.points.js';
import { TestApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import { Browser } from './browser.js';
import { address, beginLogin, memberOf, reasonIn, tokenIn } from './login-pages.js';
import { OidcIdentityProvider } from './oidc/identity-provider.js';
import { IdentityProvider, type Wish } from './saml/identity-provider.js';
import { Logins, type Provider } from './saml/logins.js';

/** Maps as each test wants it. */
@Injectable()
class Groups implements IdentityMapping {
  seen: AssertedIdentity | undefined;
  mapped: (identity: AssertedIdentity) => MappedIdentity | undefined = () => undefined;

  map(identity: AssertedIdentity): MappedIdentity | undefined {
    this.seen = identity;
    return this.mapped(identity);
  }
}

/** Comes after `Groups`, and says one thing more. */
@Injectable()
class Names implements IdentityMapping {
  async map({ attributes }: AssertedIdentity): Promise<MappedIdentity | undefined> {
    const name = attributes['nickname']?.[0];
    return name === undefined ? undefined : { displayName: name };
  }
}

const groups = defineModule({
  name: 'groups',
  contributes: [IDENTITY_MAPPINGS.with(Groups), IDENTITY_MAPPINGS.with(Names)],
});

@Module({ providers: [brings(groups), Groups, Names] })
class GroupsModule {}

const idp = new IdentityProvider();
const oidc = new OidcIdentityProvider();
const logins = new Logins(idp);
let app: TestApp;
let workspace: Workspace;
let provider: Provider;
let mapping: Groups;

beforeAll(async () => {
  await Promise.all([idp.start(), oidc.start()]);
  app = await TestApp.start({}, undefined, [GroupsModule]);
  workspace = await buildOrganization(app);
  provider = await logins.addProvider(workspace, { defaultRole: 'read' });
  mapping = app.get(Groups);
});
beforeEach(() => void (mapping.mapped = () => undefined));
afterAll(async () => {
  await app.close();
  await Promise.all([idp.stop(), oidc.stop()]);
});

/** An assertion that has these attributes beside the usual ones. */
const having = (attributes: Readonly<Record<string, readonly string[]>>): Wish => ({
  before: (xml) =>
    xml.replace(
      '</saml:AttributeStatement>',
      `${Object.entries(attributes)
        .map(
          ([name, values]) =>
            `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
        )
        .join('')}</saml:AttributeStatement>`,
    ),
});
const team = async (title: string): Promise<string> =>
  (await workspace.admin.api.put<{ id: string }>(`/orgs/${workspace.id}/teams`, { title })).body.id;
const membersOf = async (id: string): Promise<string[]> =>
  (
    await workspace.admin.api.get<{ items: { organization: { user: { email: string } } }[] }>(
      `/orgs/${workspace.id}/teams/${id}/members`,
    )
  ).body.items.map(({ organization }) => organization.user.email);

describe('identity mappings', () => {
  it('decide by attributes of an assertion about name, role and teams', async () => {
    const [writers, editors] = [await team('Writers'), await team('Editors')];
    const ids: Readonly<Record<string, string>> = { writers, editors };
    mapping.mapped = ({ attributes }) => ({
      displayName: 'of no account: another mapping comes later',
      role: 'create',
      teams: (attributes['groups'] ?? []).flatMap((group) => ids[group] ?? []),
    });
    const email = address();
    await logins.tokenOf(provider, email, having({ groups: ['writers', ' none '], nickname: ['The Countess'] }));
    expect(mapping.seen).toMatchObject({
      organizationId: workspace.id,
      providerId: expect.any(String),
      protocol: 'saml',
      email,
      displayName: 'Ada Lovelace',
      attributes: { first_name: ['Ada'], last_name: ['Lovelace'], groups: ['writers', 'none'] },
    });
    expect(await memberOf(workspace, email)).toMatchObject({
      role: 'create',
      sso: true,
      user: { displayName: 'The Countess' },
    });
    expect([await membersOf(writers), await membersOf(editors)]).toEqual([[email], []]);

    mapping.mapped = () => ({ role: 'admin', teams: [editors, editors] });
    await logins.tokenOf(provider, email, having({ nickname: ['Another'] }));
    expect(await memberOf(workspace, email)).toMatchObject({ role: 'create', user: { displayName: 'The Countess' } });
    expect([await membersOf(writers), await membersOf(editors)]).toEqual([[email], [email]]);
  });

  it('keep the settings of the provider where they say nothing, and can take the role away', async () => {
    const [usual, guest] = [address(), address()];
    await logins.tokenOf(provider, usual);
    expect(await memberOf(workspace, usual)).toMatchObject({ role: 'read', user: { displayName: 'Ada Lovelace' } });
    mapping.mapped = () => ({ role: null });
    await logins.tokenOf(provider, guest);
    expect(await memberOf(workspace, guest)).toMatchObject({ role: null });
  });

  it('see the claims of an id token as texts', async () => {
    const made = await workspace.admin.api.post<{ id: string; service: { redirectURL: string; startURL: string } }>(
      `/orgs/${workspace.id}/oidc`,
      { label: 'Identity', issuer: oidc.url, defaultRole: 'read' },
    );
    await workspace.admin.api.patch(
      `/orgs/${workspace.id}/oidc/${made.body.id}`,
      oidc.register(made.body.service.redirectURL),
    );
    const browser = new Browser();
    const email = address();
    mapping.mapped = ({ protocol }) => ({ role: protocol === 'oidc' ? 'comment' : 'admin' });
    const at = await beginLogin(made.body, undefined, browser);
    const end = await browser.open((await oidc.answer(at, email, {})).href);
    expect(tokenIn(end.text)).not.toBe('');
    expect(mapping.seen).toMatchObject({
      providerId: made.body.id,
      attributes: { email: [email], email_verified: ['true'], name: ['Ada Lovelace'] },
    });
    expect(await memberOf(workspace, email)).toMatchObject({ role: 'comment' });
  });

  it.each<[string, () => MappedIdentity, RegExp]>([
    ['refuse somebody in their own words', () => ({ refusal: 'Contractors log in elsewhere' }), /^Contractors log in/],
    [
      'name a team that is not there',
      () => ({ teams: [newId()] }),
      /^An identity mapping names the team .* does not have\.$/,
    ],
    ['give a role that is none', () => ({ role: 'owner' as 'admin' }), /gives the role .*owner.*, which is none\.$/],
    [
      'fail',
      () => {
        throw new Error('the directory is down');
      },
      /^The identity mapping Groups failed: an administrator of the server finds the reason in its log\.$/,
    ],
  ])('let nobody in where they %s', async (_, mapped, reason) => {
    mapping.mapped = mapped;
    const email = address();
    const answer = await logins.login(provider, email);
    expect(answer.text).not.toContain('the directory is down');
    expect([tokenIn(answer.text), reasonIn(answer.text)]).toEqual(['', expect.stringMatching(reason)]);
    expect(await memberOf(workspace, email)).toBeUndefined();
  });
});
