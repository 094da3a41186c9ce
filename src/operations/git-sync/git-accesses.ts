import { Injectable } from '@nestjs/common';
import { Secrets } from '../../kernel/common/secrets.js';
import type { GitProvider } from '../../workspace/spaces/git-sync.schema.js';
import { GitTransport } from '../imports/git/git-transport.js';
import { ForgeCredentials, type ForgeAccess } from './forges/forge-credentials.js';
import type { GitInstallation } from './git-installation.entity.js';
import { GitSyncStates } from './git-sync-states.js';

/** The columns by which an installation is let in. */
type Held = ForgeAccess & { readonly url: string } & Pick<GitInstallation, 'deploySecret' | 'hostKey'>;

/** The credentials of an installation at its repository. */
@Injectable()
export class GitAccesses {
  constructor(
    private readonly secrets: Secrets,
    private readonly credentials: ForgeCredentials,
    private readonly transport: GitTransport,
    private readonly states: GitSyncStates,
  ) {}

  /** As the secret of a run; undefined for a public repository, and for a server whose key is not known yet. */
  async secretOf(held: Held): Promise<string | undefined> {
    const { url, deploySecret, hostKey } = held;
    if (!this.transport.isSsh(url)) {
      const credentials = await this.credentials.of(held);
      return credentials && JSON.stringify(credentials);
    }
    if (deploySecret === null || hostKey === null) return undefined;
    return JSON.stringify({ privateKey: this.secrets.decrypt(deploySecret), hostKey });
  }

  /** Like `secretOf`; takes the key of a server that is met for the first time to be its own from then on. */
  async meet(url: string, installation: GitInstallation): Promise<string | undefined> {
    const held = { ...installation, provider: installation.provider as GitProvider, url };
    if (installation.failures > 0) this.credentials.doubt(held);
    const isNew = this.transport.isSsh(url) && installation.hostKey === null;
    const hostKey = isNew ? await this.transport.hostKeyOf(url) : installation.hostKey;
    if (isNew) await this.states.met(installation.id, hostKey);
    return this.secretOf({ ...held, hostKey });
  }
}
