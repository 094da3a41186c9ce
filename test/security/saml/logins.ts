import { expect } from '@jest/globals';
import type { Workspace } from '../../build.js';
import { Browser, type Opened } from '../browser.js';
import { beginLogin, tokenIn } from '../login-pages.js';
import { encoded, form } from './cases/case.js';
import type { Answer, IdentityProvider, Wish } from './identity-provider.js';

export interface Provider {
  id: string;
  status: string;
  ssoURL: string;
  entityID: string;
  certificate: string;
  defaultRole: string | null;
  defaultTeam?: { id: string };
  service: { acsURL: string; startURL: string; entityID: string };
  urls: { location: string };
}

/** Logins through an identity provider, in one browser unless another is named. */
export class Logins {
  readonly browser = new Browser();

  constructor(private readonly idp: IdentityProvider) {}

  async addProvider({ id, admin }: Workspace, more: object = {}): Promise<Provider> {
    const made = await admin.api.post<Provider>(`/orgs/${id}/saml`, {
      label: 'Identity',
      entityID: this.idp.entityID,
      certificate: this.idp.identity.certificate,
      ssoURL: `${this.idp.url}/sso`,
      ...more,
    });
    expect(made.status).toBe(201);
    return made.body;
  }

  /** Begins a login and gives the address at the identity provider. */
  begin(provider: Provider, returnTo?: string, by = this.browser): Promise<string> {
    return beginLogin(provider, returnTo, by);
  }

  /** Sends the form of an identity provider, and goes to the end of the login where it leads there. */
  async post(acsURL: string, body: string | Buffer, by = this.browser): Promise<Opened> {
    const answer = await by.sendForm(acsURL, body);
    return answer.location?.includes('/finish?') ? by.open(answer.location) : answer;
  }

  send({ service }: Provider, { xml, relayState }: Answer, by = this.browser): Promise<Opened> {
    return this.post(service.acsURL, form({ SAMLResponse: encoded(xml), RelayState: relayState }), by);
  }

  /** A whole login of somebody; what the identity provider says may be wished for. */
  async login(provider: Provider, email: string, wish: Wish = {}, returnTo?: string): Promise<Opened> {
    return this.send(provider, await this.idp.answer(await this.begin(provider, returnTo), { email, ...wish }));
  }

  /** The token that a login of somebody ends in. */
  async tokenOf(provider: Provider, email: string, wish: Wish = {}): Promise<string> {
    return tokenIn((await this.login(provider, email, wish)).text);
  }
}
