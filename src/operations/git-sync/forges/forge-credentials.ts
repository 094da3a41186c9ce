import { Injectable } from '@nestjs/common';
import { Secrets } from '../../../kernel/common/secrets.js';
import type { GitCredentials } from '../../../authoring/interchange/git/guarded-http.js';
import type { GitProvider } from '../../../workspace/spaces/git-sync.schema.js';
import { apiAddress } from './forge-address.js';
import type { GitHubApp } from './github-app.js';
import { GitHubAppTokens } from './github-app-tokens.js';

/** The columns of an installation by which its forge is reached. */
export interface ForgeAccess {
  readonly provider: GitProvider;
  readonly url: string | null;
  readonly serverUrl: string | null;
  readonly appId: string | null;
  readonly appInstallationId: string | null;
  /** Name and token, or the private key of the app. */
  readonly credentials: Buffer | null;
}

/** The name that goes with the token of an app. */
export const APP_USER = 'x-access-token';

/** Opens what is sealed of credentials. */
@Injectable()
export class ForgeCredentials {
  constructor(
    private readonly secrets: Secrets,
    private readonly apps: GitHubAppTokens,
  ) {}

  /** As they let in at the repository and the API now; undefined where there are none. Throws `RefusedCredentials`. */
  async of(access: ForgeAccess): Promise<GitCredentials | undefined> {
    const { credentials } = access;
    if (credentials === null) return undefined;
    const app = this.appOf(access);
    if (!app) return JSON.parse(this.secrets.decrypt(credentials)) as GitCredentials;
    return { username: APP_USER, password: await this.apps.tokenOf(app, baseOf(access)) };
  }

  /** Something was refused: a token that is held may have been taken back. */
  doubt(access: ForgeAccess): void {
    const app = this.appOf(access);
    if (app) this.apps.forget(app, baseOf(access));
  }

  private appOf({ appId, appInstallationId, credentials }: ForgeAccess): GitHubApp | undefined {
    if (appId === null || appInstallationId === null || credentials === null) return undefined;
    return { appId, installationId: appInstallationId, privateKey: this.secrets.decrypt(credentials) };
  }
}

function baseOf({ provider, url, serverUrl }: ForgeAccess): string {
  return apiAddress(provider, url, serverUrl) ?? '';
}
