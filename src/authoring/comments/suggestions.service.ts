import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { limitAt, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { Block } from '../../formats/document/types.js';
import { BlockTexts } from '../content/block-texts.js';
import { ContentLines, requestPoint } from '../content/content-lines.js';
import type { ContentPlace } from '../content/content-places.js';
import { ContentWriter } from '../content/content-writer.js';
import { isActive } from '../content/domain/request-status.js';
import { Comment } from './comment.entity.js';
import { LOCK_SUGGESTION, SEEN } from './comments.statements.js';
import { APPLY_SUGGESTION, PREPARE_SUGGESTION, type PreparedSuggestion } from './suggestion-tasks.js';

interface LockedSuggestion {
  readonly id: string;
  readonly organizationId: string;
  readonly pageId: string | null;
  readonly node: string | null;
  readonly blocks: readonly Block[] | null;
  readonly before: readonly Block[] | null;
  readonly resolvedAt: Date | null;
  readonly appliedAt: Date | null;
  readonly version: number;
}

const CHANGED = 'The block has changed since the suggestion was made';

/** Replacements of blocks that comments on change requests suggest. */
@Injectable()
export class Suggestions {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly outbox: Outbox,
    private readonly lines: ContentLines,
    private readonly writer: ContentWriter,
    private readonly texts: BlockTexts,
    private readonly workers: WorkerPool,
  ) {}

  /** Reads a suggestion for a block of a page. Throws `invalid` with the field at fault. */
  async prepare(
    { point }: ContentPlace,
    page: string | undefined,
    node: string | undefined,
    markdown: string,
  ): Promise<PreparedSuggestion> {
    if (point.line === null) throw invalid('suggestion', 'is for comments on change requests');
    if (page === undefined || node === undefined) throw invalid('node', 'is needed: the suggestion would replace it');
    const path = 'suggestion.markdown';
    const [suggested] = await this.texts.read([point], [{ item: `page:${page}`, markdown, path }]);
    const json = await this.texts.bodyOf(point, page);
    if (json === undefined || !suggested) throw invalid('node', 'is not a block of the page');
    const prepared = await this.workers.run(PREPARE_SUGGESTION, { json, node, suggested }).catch(limitAt(path));
    if ('fault' in prepared) throw invalid(prepared.fault.path, prepared.fault.message);
    return prepared;
  }

  /**
   * Puts the suggestion of a comment into the change request as one revision of the caller, and resolves the comment.
   * Throws `notFound`, and `conflict` if the block has changed since or the suggestion has been applied.
   */
  async apply(caller: Caller, spaceId: string, request: string, commentId: string): Promise<void> {
    await this.database.transaction(async () => {
      const head = await this.lines.lockRequest(spaceId, request);
      const comment = await this.database.one<LockedSuggestion & Record<string, unknown>>(LOCK_SUGGESTION, [
        spaceId,
        head.id,
        commentId,
      ]);
      if (!comment) throw notFound('Comment');
      const { hiddenPages } = await this.access.requireSpace(caller, spaceId, 'space:propose');
      const { pageId, node, blocks, before } = comment;
      if (pageId === null || node === null || !blocks || !before) throw notFound('Suggestion');
      requireMatch(comment.version);
      if (hiddenPages.length > 0 && !(await this.database.one(SEEN, [spaceId, head.id, commentId, hiddenPages])))
        throw notFound('Comment');
      if (comment.appliedAt) throw new DomainError('conflict', 'The suggestion has been applied already');
      if (!isActive(head.status))
        throw new DomainError('conflict', `The change request is ${head.status}: its content cannot change`);
      const json = await this.texts.bodyOf(requestPoint(head, hiddenPages), pageId);
      const document =
        json === undefined
          ? undefined
          : await this.workers.run(APPLY_SUGGESTION, { json, node, blocks, before }).catch(limitAt('suggestion'));
      if (!document) throw new DomainError('conflict', CHANGED);
      await this.writer.write(
        { spaceId, changeRequest: head.id },
        [{ operation: 'update_page', page: pageId, document: { document } }],
        { isMatched: true },
      );
      await this.close(caller, comment, spaceId, head.id);
    });
  }

  private async close(caller: Caller, comment: LockedSuggestion, spaceId: string, request: string): Promise<void> {
    const { id, organizationId } = comment;
    const now = this.clock.now();
    await this.database.of(Comment).update(
      { spaceId, id },
      {
        appliedBy: caller.userId,
        appliedAt: now,
        ...(!comment.resolvedAt && { resolvedBy: caller.userId, resolvedAt: now }),
      },
    );
    const about = { organizationId, spaceId, target: id };
    await this.outbox.record({
      type: 'comment_updated',
      ...about,
      payload: { changeRequestId: request, fields: ['suggestion'] },
    });
    if (!comment.resolvedAt)
      await this.outbox.record({ type: 'comment_resolved', ...about, payload: { changeRequestId: request } });
  }
}
