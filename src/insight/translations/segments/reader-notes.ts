import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Commits } from '../../../authoring/content/commits.js';
import { ContentLines, primaryPoint } from '../../../authoring/content/content-lines.js';
import { ContentStore, NOTHING_HIDDEN } from '../../../authoring/content/content-store.js';
import { itemKey } from '../../../authoring/content/domain/content-item.js';
import { readerNoteOf, withReaderNote } from '../../../authoring/content/domain/reader-note.js';
import { Database } from '../../../kernel/common/database.js';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';
import { CorrectedItems } from './corrected-items.js';

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
    this.jobs.handle('translations.note-pages', ({ space }) => this.note(space));
  }

  private note(spaceId: string): Promise<void> {
    return this.database.transaction(async () => {
      const head = await this.lines.lockPrimary(spaceId);
      const translation = await this.items.hold(head.organizationId, spaceId);
      // Its first run brings them.
      if (head.isTranslation && !translation) return;
      const rows = translation ? await this.items.readerNotes(translation) : [];
      const notes = new Map(rows.map(({ itemId, note }) => [itemId, note]));
      const pages = await this.store.ofKinds(primaryPoint(head, NOTHING_HIDDEN), ['page']);
      const changed = pages.filter(({ id, props }) => readerNoteOf(props) !== notes.get(id));
      if (changed.length === 0) return;
      const items = new Map(
        changed.map((page) => [itemKey(page), { ...page, props: withReaderNote(page.props, notes.get(page.id)) }]),
      );
      await this.commits.toPrimary(head, { items, documents: [] }, { type: 'edits', translated: head.isTranslation });
    });
  }
}
