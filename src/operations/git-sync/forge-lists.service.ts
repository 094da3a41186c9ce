import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/common/context.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { FORGE_TITLES } from './forges/forge-address.js';
import type { ForgeBranch, ForgeFile, ForgeRepositories, ForgeRepository } from './forges/forge.js';
import { Forges } from './forges/forges.service.js';
import { GitInstallations } from './git-installations.service.js';
import { GitSyncStates } from './git-sync-states.js';

/** An installation of a provider, as somebody asks for it. */
interface Asked {
  readonly caller: Caller;
  readonly installationId: string;
  readonly provider: 'github' | 'gitlab';
}

/** Lists what the access token of an installation sees at its provider. */
@Injectable()
export class ForgeLists {
  constructor(
    private readonly installations: GitInstallations,
    private readonly states: GitSyncStates,
    private readonly forges: Forges,
  ) {}

  async repositories(asked: Asked): Promise<ForgeRepository[]> {
    return (await this.forge(asked)).repositories();
  }

  async branches(asked: Asked, repository: string): Promise<ForgeBranch[]> {
    const branches = await (await this.forge(asked)).branches(repository);
    if (!branches) throw notFound('Repository');
    return branches;
  }

  async file(asked: Asked, repository: string, path: string, ref: string): Promise<ForgeFile> {
    const file = await (await this.forge(asked)).file(repository, path, ref);
    if (!file) throw notFound('File');
    return file;
  }

  /** Throws `conflict` for an installation of another provider, or without a token. */
  private async forge({ caller, installationId, provider }: Asked): Promise<ForgeRepositories> {
    const row = await this.installations.get(caller, installationId);
    const title = FORGE_TITLES[provider];
    if (row.provider !== provider)
      throw new DomainError('conflict', `The installation is one of ${row.provider}: install ${title} on the space`);
    const state = await this.states.get(installationId);
    const forge = state.credentials === null ? undefined : await this.forges.repositories({ ...state, provider });
    if (!forge)
      throw new DomainError('conflict', `${title} needs an access token: set providerConfiguration.accessToken first`);
    return forge;
  }
}
