import { Injectable } from '@nestjs/common';
import { Secrets } from '../../kernel/common/secrets.js';
import { GitTransport } from '../imports/git/git-transport.js';
import type { GitInstallation } from './git-installation.entity.js';
import { GitSyncStates } from './git-sync-states.js';

type Held = Pick<GitInstallation, 'credentials' | 'deploySecret' | 'hostKey'>;

/** What lets an installation in at its repository. */
@Injectable()
export class GitAccesses {
  constructor(
    private readonly secrets: Secrets,
    private readonly transport: GitTransport,
    private readonly states: GitSyncStates,
  ) {}

  /** As the secret of a run; undefined for a public repository, and for a server whose key is not known yet. */
  secretOf(url: string, { credentials, deploySecret, hostKey }: Held): string | undefined {
    if (!this.transport.isSsh(url)) return credentials === null ? undefined : this.secrets.decrypt(credentials);
    if (deploySecret === null || hostKey === null) return undefined;
    return JSON.stringify({ privateKey: this.secrets.decrypt(deploySecret), hostKey });
  }

  /** Like `secretOf`; takes the key of a server that is met for the first time to be its own from then on. */
  async meet(url: string, installation: GitInstallation): Promise<string | undefined> {
    const isNew = this.transport.isSsh(url) && installation.hostKey === null;
    const hostKey = isNew ? await this.transport.hostKeyOf(url) : installation.hostKey;
    if (isNew) await this.states.met(installation.id, hostKey);
    return this.secretOf(url, { ...installation, hostKey });
  }
}
