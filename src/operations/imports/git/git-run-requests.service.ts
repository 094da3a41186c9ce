import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../../kernel/access/access.service.js';
import { Clock } from '../../../kernel/common/clock.js';
import type { Caller } from '../../../kernel/common/context.js';
import { invalid } from '../../../kernel/common/errors.js';
import { addressFault } from '../../../kernel/common/safe-address.js';
import { normalizePath } from '../../../authoring/interchange/domain/repository-paths.js';
import type { ExportGit, GitOrderFacts, ImportGit, ImportRunRow } from '../imports.schema.js';
import { RunQueue } from '../run-queue.service.js';
import { GitTransport } from './git-transport.js';
import { webAddress } from '../../../kernel/common/web-address.js';

/** Accepts orders to import from and export to repositories; background runs execute them. */
@Injectable()
export class GitRunRequests {
  constructor(
    private readonly clock: Clock,
    private readonly queue: RunQueue,
    private readonly transport: GitTransport,
  ) {}

  /** Throws `invalid` for an address that does not use https. */
  async import(caller: Caller, space: SpaceAccess, body: ImportGit): Promise<ImportRunRow> {
    const { facts, secret } = this.read(body);
    return this.queue.begin(
      caller,
      space,
      { type: 'git', ...facts, ...(body.standalone === true && { standalone: true }) },
      { ...(secret !== undefined && { secret }) },
    );
  }

  async export(caller: Caller, space: SpaceAccess, body: ExportGit): Promise<ImportRunRow> {
    const { facts, secret } = this.read(body);
    const ref = facts.ref.startsWith('refs/') ? facts.ref : `refs/heads/${facts.ref}`;
    if (!ref.startsWith('refs/heads/')) throw invalid('ref', 'must be a branch');
    return this.queue.begin(
      caller,
      space,
      { type: 'git-export', commitMessage: body.commitMessage, ...facts, ref },
      { ...(secret !== undefined && { secret }) },
    );
  }

  private read({
    url,
    ref,
    repoTreeURL,
    repoCommitURL,
    repoProjectDirectory = '',
    timestamp,
    force = false,
    gitInfo,
  }: ImportGit | ExportGit): { facts: GitOrderFacts; secret?: string } {
    const remote = this.transport.read(url);
    const directory = normalizePath(repoProjectDirectory);
    if (directory === undefined) throw invalid('repoProjectDirectory', 'leads out of the repository');
    const treeURL = gitInfo?.url ?? repoTreeURL;
    for (const [name, address] of [
      ['repoTreeURL', repoTreeURL],
      ['repoCommitURL', repoCommitURL],
      ['gitInfo.url', gitInfo?.url],
    ] as const)
      if (address !== undefined && !isPlainAddress(address))
        throw invalid(name, 'must be an address without a name and password');
    const facts: GitOrderFacts = {
      url: remote.url,
      ref,
      directory,
      ...(treeURL !== undefined && { treeURL }),
      ...(repoCommitURL !== undefined && { commitURL: repoCommitURL }),
      ...(gitInfo?.provider !== undefined && { provider: gitInfo.provider }),
      // In UTC: the database does not support all offsets.
      timestamp: (timestamp === undefined ? this.clock.now() : new Date(timestamp)).toISOString(),
      force,
    };
    return { facts, ...(remote.credentials && { secret: JSON.stringify(remote.credentials) }) };
  }
}

function isPlainAddress(text: string): boolean {
  const url = webAddress(text);
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    addressFault(text) === undefined
  );
}
