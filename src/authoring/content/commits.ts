import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { newId } from '../../kernel/common/ids.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { ContentStore, type RowChange } from './content-store.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { REVISION_STATEMENTS } from './content.points.js';
import { DocumentStore, type CurrentPage, type NewDocument } from './document-store.js';
import { splitKey, type Item, type ItemKey } from './domain/content-item.js';
import { ContentLines, type PrimaryHead, type RevisionType } from './content-lines.js';
import type { RequestBase, RequestHead } from './request-lines.js';
import { withoutReaderNotes } from './domain/reader-note.js';
import { TRANSLATION_EDITS, type TranslationEdits } from './translation-edits.js';

/** The changes of a new revision: new versions of items, null for deleted ones; and the new documents. */
export interface ContentDelta {
  readonly items: ReadonlyMap<ItemKey, Item | null>;
  readonly documents: Iterable<NewDocument>;
}

export interface RevisionFacts {
  readonly type: RevisionType;
  /** Further parents beside the head of the line. */
  readonly otherParents?: readonly string[];
  readonly mergedFrom?: string;
  /** The revision of the source that a computed one follows from. */
  readonly sourceRevision?: string;
  readonly rolledBackTo?: string;
  readonly message?: string;
  readonly git?: unknown;
  /**
   * The revision adds only content of primary to a change request, so that the reviewed changes are still those of a
   * merge.
   */
  readonly keepsReviews?: boolean;
  /** The revision was made by a run of the translation to which the space belongs. */
  readonly translated?: boolean;
}

/** Keeps the places that the pages $2 leave for the parents $3 and slugs $4; those of removed pages are null. */
const LEAVE_PLACES = `INSERT INTO page_former_place (space_id, parent_id, slug, page_id, created_at)
  SELECT $1, was.parent_id, was.slug, n.page, $5 FROM unnest($2::text[], $3::text[], $4::text[]) AS n (page, parent, slug)
   CROSS JOIN LATERAL (SELECT i.parent_id, i.slug FROM content_item i WHERE i.space_id = $1 AND i.line = '' AND i.kind = 'page' AND i.id = n.page OFFSET 0) was
   WHERE was.slug IS NOT NULL AND (was.parent_id, was.slug) IS DISTINCT FROM (n.parent, n.slug)
  ON CONFLICT (space_id, parent_id, slug, page_id) DO UPDATE SET created_at = excluded.created_at`;

/** Creates one revision of a line in the ambient transaction, under the lock that the caller holds. */
@Injectable()
export class Commits implements OnModuleInit {
  private translations: TranslationEdits;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly store: ContentStore,
    private readonly documents: DocumentStore,
    private readonly lines: ContentLines,
    private readonly outbox: Outbox,
    private readonly registry: Registry,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    this.translations = this.modules.get(this.registry.contributionTo(TRANSLATION_EDITS), { strict: false });
  }

  /**
   * Writes a revision of the primary line and updates search and links; returns the id of the revision. `also` writes
   * more of the same change, sent with it. Throws `conflict` for what a translation cannot say, unless its run writes.
   */
  async toPrimary(
    head: PrimaryHead,
    delta: ContentDelta,
    facts: RevisionFacts,
    also?: (revision: string) => Promise<void>,
  ): Promise<string> {
    const { spaceId, language } = head;
    const sequence = head.sequence + 1;
    const revisionId = this.newRevisionId();
    const { stored } = await this.documents.put(spaceId, language, delta.documents);
    const items = await this.accepted(head, delta.items, facts);
    const changes = [...items].map(([key, item]): RowChange => (item ? { item } : { remove: key }));
    // Sent at once, and run in this order: what follows reads what was written before.
    await Promise.all([
      stored,
      this.leavePlaces(spaceId, items),
      this.store.write(spaceId, '', sequence, changes),
      this.lines.addRevision({
        id: revisionId,
        spaceId,
        line: '',
        sequence,
        baseSequence: sequence,
        ...facts,
        parents: [head.revisionId, ...(facts.otherParents ?? [])],
      }),
      this.lines.movePrimary(spaceId, revisionId, sequence),
      this.documents.switchCurrent(spaceId, language, currentPages(items), sequence),
      this.refresh(spaceId, [...items.keys()]),
      this.outbox.record({
        type: 'space_content_updated',
        organizationId: head.organizationId,
        spaceId,
        target: spaceId,
        payload: {
          revisionId,
          revisionType: facts.type,
          changeRequestId: facts.mergedFrom,
          rolledBackToRevisionId: facts.rolledBackTo,
        },
      }),
      also?.(revisionId),
    ]);
    return revisionId;
  }

  /**
   * Writes rows of a change request's overlay, and moves its base if one is given; returns the id of the revision. `also`
   * is sent with it.
   */
  async toRequest(
    head: RequestHead,
    rows: readonly RowChange[],
    documents: Iterable<NewDocument>,
    facts: RevisionFacts,
    { base, also }: { readonly base?: RequestBase; readonly also?: (() => Promise<unknown>) | undefined } = {},
  ): Promise<string> {
    const { spaceId } = head;
    const sequence = head.sequence + 1;
    const revisionId = this.newRevisionId();
    const { stored } = await this.documents.put(spaceId, head.language, documents);
    await Promise.all([
      stored,
      this.store.write(spaceId, head.id, sequence, rows),
      this.lines.addRevision({
        id: revisionId,
        spaceId,
        line: head.id,
        sequence,
        baseSequence: base?.sequence ?? head.baseSequence,
        baseRevisionId: base?.revisionId ?? head.baseRevisionId,
        ...facts,
        parents: [head.revisionId, ...(facts.otherParents ?? [])],
      }),
      this.lines.moveRequest(head.id, { revisionId, sequence, base, keepsReviews: facts.keepsReviews === true }),
      this.outbox.record({
        type: 'change_request_content_updated',
        organizationId: head.organizationId,
        spaceId,
        target: head.id,
        payload: { revisionId, revisionType: facts.type },
      }),
      also?.(),
    ]);
    return revisionId;
  }

  /** Items as they become part of the primary line: only translations have notes for readers, and people write none. */
  private async accepted(
    head: PrimaryHead,
    items: ContentDelta['items'],
    { translated = false, mergedFrom }: RevisionFacts,
  ): Promise<ContentDelta['items']> {
    if (!head.isTranslation) return withoutReaderNotes(items);
    return translated ? items : this.translations.accept(head, items, mergedFrom);
  }

  private newRevisionId(): string {
    return newId(this.clock.now().getTime());
  }

  /** Updates what other modules derive of the primary line. */
  private async refresh(spaceId: string, changed: readonly ItemKey[]): Promise<void> {
    const sources = changed.map(splitKey).filter(({ kind }) => kind === 'page' || kind === 'reusable');
    if (sources.length === 0) return;
    const values = [spaceId, sources.map(({ kind }) => kind), sources.map(({ id }) => id)];
    const statements = this.registry.contributionsTo(REVISION_STATEMENTS);
    await Promise.all(statements.map((statement) => this.database.execute(statement, values)));
  }

  /** Pages that move can still be found by their former path, and so can their descendants. */
  private async leavePlaces(spaceId: string, items: ReadonlyMap<ItemKey, Item | null>): Promise<void> {
    const pages = [...items].filter(([key]) => splitKey(key).kind === 'page');
    if (pages.length === 0) return;
    await this.database.execute(LEAVE_PLACES, [
      spaceId,
      pages.map(([key]) => splitKey(key).id),
      pages.map(([, item]) => item?.parentId ?? null),
      pages.map(([, item]) => item?.slug ?? null),
      this.clock.now(),
    ]);
  }
}

function currentPages(items: ReadonlyMap<ItemKey, Item | null>): CurrentPage[] {
  return [...items].flatMap(([key, item]): CurrentPage[] => {
    const { kind, id } = splitKey(key);
    if (kind !== 'page') return [];
    // Links and computed pages have no text of their own to search.
    if (!item || item.slug === null) return [{ page: id, removed: true }];
    const { description, noIndex } = item.props;
    const text = `${item.title} ${typeof description === 'string' ? description : ''}`;
    return [{ page: id, removed: false, hash: item.hash, ...(noIndex !== true && { text }) }];
  });
}
