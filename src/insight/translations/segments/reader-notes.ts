import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Commits } from '../../../authoring/content/commits.js';
import { ContentLines, primaryPoint } from '../../../authoring/content/content-lines.js';
import { ContentStore, NOTHING_HIDDEN } from '../../../authoring/content/content-store.js';
import { itemKey, type ItemKey } from '../../../authoring/content/domain/content-item.js';
import { readerNoteOf, withReaderNote } from '../../../authoring/content/domain/reader-note.js';
import { Database } from '../../../kernel/common/database.js';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';
import { CorrectedItems } from './corrected-items.js';

/** Pages that one revision changes. */
const PAGES_AT_ONCE = 200;

/** Brings pages the notes for readers that they should have, which needs no engine; those of former translations lose them. */
@Injectable()
export class ReaderNotes implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly commits: Commits,
    private readonly items: CorrectedItems,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('translations.note-pages', ({ space }, job) => this.note(space, job.signal));
  }

  /** Writes in batches, so that the space is locked for a moment only; a later attempt finds what is left. */
  private async note(spaceId: string, signal: AbortSignal): Promise<void> {
    const head = await this.lines.primary(spaceId);
    const pages = await this.store.ofKinds(primaryPoint(head, NOTHING_HIDDEN), ['page']);
    for (let at = 0; at < pages.length; at += PAGES_AT_ONCE) {
      signal.throwIfAborted();
      await this.noteBatch(spaceId, pages.slice(at, at + PAGES_AT_ONCE).map(itemKey));
    }
  }

  private noteBatch(spaceId: string, keys: readonly ItemKey[]): Promise<void> {
    return this.database.transaction(async () => {
      const head = await this.lines.lockPrimary(spaceId);
      const translation = await this.items.hold(head.organizationId, spaceId);
      // Its first run brings them.
      if (head.isTranslation && !translation) return;
      const pages = [...(await this.store.byKeys(primaryPoint(head, NOTHING_HIDDEN), keys)).values()];
      const rows = translation ? await this.items.readerNotes(translation, { items: pages.map(({ id }) => id) }) : [];
      const notes = new Map(rows.map(({ itemId, note }) => [itemId, note]));
      const changed = pages.filter(({ id, props }) => readerNoteOf(props) !== notes.get(id));
      if (changed.length === 0) return;
      const items = new Map(
        changed.map((page) => [itemKey(page), { ...page, props: withReaderNote(page.props, notes.get(page.id)) }]),
      );
      await this.commits.toPrimary(head, { items, documents: [] }, { type: 'edits', translated: head.isTranslation });
    });
  }
}
