import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { listBody, type Immutable } from '../../kernel/common/envelope.interceptor.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages } from '../../kernel/common/page.js';
import { FileUrls, hourBucket } from '../../kernel/platform/storage/file-urls.js';
import { ContentCache } from './content-cache.js';
import { viewOf, type ContentPlace } from './content-places.js';
import { ContentStore, type ItemRow } from './content-store.js';
import { CURRENT_FILES_FROM, FILES_FROM } from './content-store.statements.js';
import type { ContentFlags, FileBody, FileListQuery } from './content.schema.js';
import { presentFile } from './present-content.js';

type FileRow = Pick<ItemRow, 'id' | 'title' | 'props' | 'hash'>;

/** Reads of files at any point of a space's history. */
@Injectable()
export class ContentFiles {
  constructor(
    private readonly store: ContentStore,
    private readonly files: FileUrls,
    private readonly lists: Pages,
    private readonly cache: ContentCache,
    private readonly clock: Clock,
  ) {}

  /** The files of a place, newest first. Their addresses change every hour. */
  list(place: ContentPlace, query: FileListQuery): Promise<Immutable> {
    const facts = ['files', query, hourBucket(this.clock.now())];
    return this.cache.get(place, facts, { computed: false }, () => this.listJson(place, query));
  }

  private async listJson(place: ContentPlace, query: FileListQuery): Promise<string> {
    const { point } = place;
    const isCurrent = point.line === null && !place.fixed;
    const page = await this.lists.list<FileRow>(query, {
      scope: ['files', isCurrent ? point.spaceId : point],
      select: 'i.id, i.title, i.props, i.hash',
      ...(isCurrent
        ? { from: CURRENT_FILES_FROM, values: [point.spaceId] }
        : { from: FILES_FROM, values: [point.spaceId, point.line, point.sequence, point.base], countsItself: true }),
      order: [
        { expression: 'i.created_at', type: 'timestamptz' },
        { expression: 'i.id', type: 'text' },
      ],
      direction: 'desc',
    });
    const view = viewOf(place, query);
    const files = page.map(({ hash, ...file }) =>
      presentFile({ ...file, hash: hash?.toString('hex') ?? null }, this.files, view),
    );
    return JSON.stringify(listBody(files));
  }

  async get(place: ContentPlace, id: string, flags: ContentFlags): Promise<FileBody> {
    const file = await this.store.get(place.point, 'file', id);
    if (!file) throw notFound('File');
    return presentFile(file, this.files, viewOf(place, flags));
  }
}
