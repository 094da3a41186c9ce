import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Commits } from '../../../authoring/content/commits.js';
import { ContentLines, primaryPoint } from '../../../authoring/content/content-lines.js';
import { ContentStore, NOTHING_HIDDEN } from '../../../authoring/content/content-store.js';
import { itemKey } from '../../../authoring/content/domain/content-item.js';
import { readerNoteOf, withReaderNote } from '../../../authoring/content/domain/reader-note.js';
import { Database } from '../../../kernel/common/database.js';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';

/** The notes to readers in the spaces of translations that are deleted: nobody could take them away otherwise. */
@Injectable()
export class LeftNotes implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly commits: Commits,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('translations.remove-notes', ({ space }) => this.remove(space));
  }

  private remove(spaceId: string): Promise<void> {
    return this.database.transaction(async () => {
      const head = await this.lines.lockPrimary(spaceId);
      // The space may be the result of another translation by now, whose runs keep the notes.
      if (head.isTranslation) return;
      const pages = await this.store.ofKinds(primaryPoint(head, NOTHING_HIDDEN), ['page']);
      const noted = pages.filter(({ props }) => readerNoteOf(props) !== undefined);
      if (noted.length === 0) return;
      const items = new Map(
        noted.map((page) => [itemKey(page), { ...page, props: withReaderNote(page.props, undefined) }]),
      );
      await this.commits.toPrimary(head, { items, documents: [] }, { type: 'edits' });
    });
  }
}
