import { Injectable } from '@nestjs/common';
import { Access, type SpaceAccess } from '../../kernel/access/access.service.js';
import { allows } from '../../kernel/access/permissions.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { mayBypass } from '../../identity/organizations/domain/merge-rules.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import { Commits } from './commits.js';
import { ContentStore, NOTHING_HIDDEN } from './content-store.js';
import { sameItem, type Item, type ItemKey } from './domain/content-item.js';
import { ContentLines, primaryPoint, revisionPoint, type PrimaryHead, type RevisionRow } from './content-lines.js';
import { REVISION_ENTRY_COLUMNS, REVISION_ENTRY_FROM, type RevisionEntryRow } from './revisions.schema.js';

const OF_PRIMARY = `${REVISION_ENTRY_FROM} WHERE r.space_id = $1 AND r.line = ''`;
const OF_REQUEST = `${REVISION_ENTRY_FROM} WHERE r.space_id = $1 AND r.line = $2`;

/** The history of a space's primary line, and rollbacks in it. */
@Injectable()
export class Revisions {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly spaces: Spaces,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly commits: Commits,
  ) {}

  /**
   * Lists the revisions of the primary line, newest first. They are numbered without gaps, so no counting is needed.
   */
  list({ id }: SpaceAccess, query: PageRequest): Promise<Page<RevisionEntryRow>> {
    return this.pages.list<RevisionEntryRow & Record<string, unknown>>(query, {
      scope: ['revisions', id],
      select: REVISION_ENTRY_COLUMNS,
      from: OF_PRIMARY,
      values: [id],
      count: 'SELECT sequence + 1 AS count FROM space WHERE id = $1',
      order: [{ expression: 'r.sequence', type: 'bigint' }],
      direction: 'desc',
    });
  }

  /** Lists the revisions of a change request, by id or number, newest first. */
  async listOfRequest({ id }: SpaceAccess, idOrNumber: string, query: PageRequest): Promise<Page<RevisionEntryRow>> {
    const request = await this.lines.request(id, idOrNumber);
    return this.pages.list<RevisionEntryRow & Record<string, unknown>>(query, {
      scope: ['revisions', id, request.id],
      select: REVISION_ENTRY_COLUMNS,
      from: OF_REQUEST,
      values: [id, request.id],
      order: [{ expression: 'r.sequence', type: 'bigint' }],
      direction: 'desc',
    });
  }

  /**
   * Restores the whole content of an earlier revision of the primary line as one new revision; the cost depends on the
   * changes since. Requires the permission of `requireRight`. Throws `conflict` if the content is already the same, or
   * if the revision belongs to a change request.
   */
  async rollback(caller: Caller, spaceId: string, revisionId: string): Promise<RevisionEntryRow> {
    const id = await this.database.transaction(async () => {
      const head = await this.lines.lockPrimaryIn(this.spaces.holdMembership(caller, spaceId), spaceId);
      await this.requireRight(caller, head);
      requireMatch(head.version);
      const target = await this.lines.revision(spaceId, revisionId);
      if (target.line !== '')
        throw new DomainError(
          'conflict',
          'This is a revision of a change request: only those of the primary line can be restored',
        );
      const items = await this.differences(head, target);
      if (items.size === 0) throw new DomainError('conflict', 'The content already equals that of the revision');
      return this.commits.toPrimary(head, { items, documents: [] }, { type: 'rollback', rolledBackTo: target.id });
    });
    return this.entry(spaceId, id);
  }

  /**
   * Requires the permission to edit if the space has live edits, the permission to merge if it is locked. Merge rules
   * need a change request to check: if there are any, only people who may bypass all of them or change them may roll
   * back.
   */
  private async requireRight(caller: Caller, { spaceId, editMode }: PrimaryHead): Promise<void> {
    const { role } = await this.access.requireSpace(
      caller,
      spaceId,
      editMode === 'live' ? 'space:edit' : 'space:merge',
    );
    if (editMode === 'live' || allows('space:replaceContent', role)) return;
    if (mayBypass((await this.lines.mergeRules(spaceId)).rules, caller.userId)) return;
    throw new DomainError(
      'forbidden',
      'The space has merge rules: a rollback past them requires the role create or higher, or a rule allow_bypass that lists you',
    );
  }

  /** The changes that restore the content of a revision: versions of that time, null for items that did not exist. */
  private async differences(head: PrimaryHead, target: RevisionRow): Promise<Map<ItemKey, Item | null>> {
    const keys = await this.store.changedBetween(head.spaceId, '', target.sequence, head.sequence);
    const then = await this.store.byKeys(revisionPoint(head.spaceId, target, NOTHING_HIDDEN), keys);
    const now = await this.store.byKeys(primaryPoint(head, NOTHING_HIDDEN), keys);
    const items = new Map<ItemKey, Item | null>();
    for (const key of keys) {
      const [before, after] = [now.get(key), then.get(key)];
      if (after ? !before || !sameItem(before, after) : before)
        items.set(key, after ? { ...after, updatedAt: this.clock.now() } : null);
    }
    return items;
  }

  private async entry(spaceId: string, id: string): Promise<RevisionEntryRow> {
    const row = await this.database.one<RevisionEntryRow & Record<string, unknown>>(
      `SELECT ${REVISION_ENTRY_COLUMNS} ${OF_PRIMARY} AND r.id = $2`,
      [spaceId, id],
    );
    if (!row) throw notFound('Revision');
    return row;
  }
}
