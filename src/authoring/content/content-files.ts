import { Injectable } from '@nestjs/common';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import { viewOf, type ContentPlace } from './content-places.js';
import { ContentStore, CURRENT_FILES_FROM, FILES_FROM, type ItemRow } from './content-store.js';
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
  ) {}

  /** The files of a place, newest first. */
  async list(place: ContentPlace, query: FileListQuery): Promise<Page<FileBody>> {
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
    return page.map(({ hash, ...file }) =>
      presentFile({ ...file, hash: hash?.toString('hex') ?? null }, this.files, view),
    );
  }

  async get(place: ContentPlace, id: string, flags: ContentFlags): Promise<FileBody> {
    const file = await this.store.get(place.point, 'file', id);
    if (!file) throw notFound('File');
    return presentFile(file, this.files, viewOf(place, flags));
  }
}
