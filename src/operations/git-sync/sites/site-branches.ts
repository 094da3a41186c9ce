import { Injectable } from '@nestjs/common';
import type { HttpClient } from 'isomorphic-git';
import { DomainError } from '../../../kernel/common/errors.js';
import { joinPath } from '../../../authoring/interchange/domain/repository-paths.js';
import { SITE_FILES } from '../../../authoring/interchange/domain/site-file/site-file.js';
import type { RemoteBranch } from '../../../authoring/interchange/git/remote-branch.js';
import { PooledReads } from '../../../authoring/interchange/pooled-reads.js';
import { readSiteFolder, type SiteFolder } from '../../../authoring/interchange/site-folder.js';
import type { SourceFile } from '../../../authoring/interchange/domain/plan-model.js';
import { GitTransport, type GitAccess } from '../../imports/git/git-transport.js';
import { GitAccesses } from '../git-accesses.js';
import type { GitInstallation } from '../git-installation.entity.js';

/** An installation with a repository and a branch. */
export type ReadyInstallation = GitInstallation & { readonly url: string; readonly ref: string };

export function isReady(installation: GitInstallation): installation is ReadyInstallation {
  return installation.url !== null && installation.ref !== null;
}

/** The side of the repository of a site. */
@Injectable()
export class SiteBranches {
  constructor(
    private readonly transport: GitTransport,
    private readonly accesses: GitAccesses,
    private readonly reads: PooledReads,
  ) {}

  async client(installation: ReadyInstallation): Promise<HttpClient> {
    const secret = await this.accesses.meet(installation.url, installation);
    return this.transport.client(
      installation.url,
      secret === undefined ? undefined : (JSON.parse(secret) as GitAccess),
    );
  }

  async open({ url, ref }: Pick<ReadyInstallation, 'url' | 'ref'>, client: HttpClient): Promise<RemoteBranch> {
    const { RemoteBranch: Branch } = await import('../../../authoring/interchange/git/remote-branch.js');
    return Branch.open(url, ref, client);
  }

  /** The last commit; undefined where the branch does not exist. */
  async head({ url, ref }: ReadyInstallation, client: HttpClient): Promise<string | undefined> {
    const { remoteHead } = await import('../../../authoring/interchange/git/remote-head.js');
    return remoteHead(url, ref, client);
  }

  /** The file of the site in the folder of an installation; undefined where there is none. */
  async file(branch: RemoteBranch, directory: string): Promise<SiteFolder | undefined> {
    const files = new Map<string, SourceFile>();
    for (const [path, read] of await branch.files(directory)) {
      const isSiteFile = SITE_FILES.some((name) => name === path);
      files.set(path, { size: isSiteFile ? (await read()).length : 0, read });
    }
    return readSiteFolder(files, this.reads);
  }

  /** Throws `conflict` where the branch has no file of a site in the folder of the installation. */
  async requireFile(installation: ReadyInstallation): Promise<void> {
    const branch = await this.open(installation, await this.client(installation));
    if (!(await this.file(branch, installation.directory))) throw missingFile(installation);
  }
}

export function missingFile({ directory, ref }: ReadyInstallation): DomainError {
  const path = joinPath(directory, SITE_FILES[0]);
  const prompt =
    `Add the file ${path} to the branch ${ref}: it describes a documentation site in YAML. \`site.title\` is its title, and ` +
    '`site.structure` lists its spaces, each with `type: space`, a `key` of its own, `title`, `path`, and `content.directory`, the folder of its Markdown. Commit it.';
  return new DomainError(
    'conflict',
    `The branch ${ref} has no ${path}, which says what the site consists of`,
    [],
    {},
    {
      type: 'missing_site_git_sync_config',
      details: { path, branch: ref, prompt },
    },
  );
}
