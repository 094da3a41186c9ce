import { Injectable } from '@nestjs/common';
import type { ChangeInput } from '../../../authoring/content/change-input.js';
import { ContentLines } from '../../../authoring/content/content-lines.js';
import { ContentWriter } from '../../../authoring/content/content-writer.js';
import { sameValue, type Item } from '../../../authoring/content/domain/content-item.js';
import type { GitBlob } from '../../../authoring/interchange/git/git-objects.js';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import { SpaceContents } from '../../../authoring/interchange/space-content.js';
import { commitUrl, type GitExport } from './git-orders.js';

/** Keeps where pages, files and reusable contents are in the repository that they were exported into. */
@Injectable()
export class GitLocations {
  constructor(
    private readonly lines: ContentLines,
    private readonly writer: ContentWriter,
    private readonly contents: SpaceContents,
    private readonly repositories: SpaceRepositories,
  ) {}

  /**
   * Notes that a revision of the primary content and a commit say the same, and where everything is in that. What others have
   * written since that revision is not in the commit.
   */
  async record(
    spaceId: string,
    source: GitExport,
    oid: string,
    blobs: ReadonlyMap<string, GitBlob>,
    exported: string,
  ): Promise<{ revision: string; changed: boolean }> {
    const head = await this.lines.lockPrimary(spaceId);
    const { pages, files, reusables } = await this.contents.outline(spaceId);
    const changes = [...pages, ...files, ...reusables].flatMap((item) => {
      const git = blobs.get(item.id);
      return git === undefined || sameValue(item.props['git'], git) ? [] : [gitChange(item, git)];
    });
    const facts = {
      message: source.commitMessage,
      git: { oid, message: source.commitMessage, createdByGitBook: true, url: commitUrl(source, oid), ref: source.ref },
    };
    const written =
      changes.length === 0
        ? undefined
        : await this.writer.write({ spaceId }, changes, { allowMany: true, evenIfLocked: true, ...facts });
    const revision = written?.revisionId ?? head.revisionId;
    await this.repositories.record(spaceId, source, oid, head.revisionId === exported ? revision : exported);
    return { revision, changed: written !== undefined };
  }
}

function gitChange(item: Item, git: GitBlob): ChangeInput {
  if (item.kind === 'page') return { operation: 'update_page', page: item.id, git };
  if (item.kind === 'reusable') return { operation: 'update_reusable_content', reusableContent: item.id, git };
  return { operation: 'update_file', file: item.id, git };
}
