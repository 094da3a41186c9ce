import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { FileEndpoint } from '../../kernel/platform/storage/file-endpoint.js';
import type { ServedFile } from '../../kernel/platform/storage/served-file.js';
import { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import { ARCHIVE_LIFETIME, type ImportRunRow, type RunArchive } from './imports.schema.js';

/** Milliseconds for which an archive is served: its address lasts up to an hour more than a day. */
const SERVED_FOR = ARCHIVE_LIFETIME + 2 * 3600 * 1000;

/** Serves the archives that exports have written: nothing refers to their bytes, which are removed after two days. */
@Injectable()
export class RunArchives implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly urls: FileUrls,
    private readonly endpoint: FileEndpoint,
  ) {}

  onModuleInit(): void {
    this.endpoint.register((id) => this.find(id));
  }

  /** The signed address of what a run has written; undefined for nothing, or for what has expired. */
  address({ id, result, completedAt }: ImportRunRow): string | undefined {
    const archive = result?.archive;
    const age = this.clock.now().getTime() - (completedAt?.getTime() ?? 0);
    return archive && age < ARCHIVE_LIFETIME ? this.urls.sign({ id, ...archive }) : undefined;
  }

  private async find(id: string): Promise<ServedFile | undefined> {
    const row = await this.database.one<{ archive: RunArchive }>(
      `SELECT result -> 'archive' AS archive FROM import_run WHERE id = $1 AND result ? 'archive' AND completed_at > $2`,
      [id, new Date(this.clock.now().getTime() - SERVED_FOR)],
    );
    return row && { ...row.archive, contentType: 'application/zip', visibility: 'signed' };
  }
}
