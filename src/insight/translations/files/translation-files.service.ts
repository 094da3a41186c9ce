import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/common/database.js';
import { invalid, notFound } from '../../../kernel/common/errors.js';
import { Pages, type Page } from '../../../kernel/common/page.js';
import { Outbox } from '../../../kernel/platform/outbox.js';
import { WorkerPool } from '../../../kernel/platform/workers/worker-pool.js';
import { segmentDigest } from '../domain/memory-key.js';
import type { Segment } from '../domain/segment.js';
import { Corrections } from '../segments/corrections.js';
import type { SegmentState } from '../segments/segments.schema.js';
import { Segments } from '../segments/segments.service.js';
import type { FileFormat, FileUnit } from './translation-file.js';
import { FILE_TRANSLATIONS, WRITTEN_FILE, type FileTranslation } from './translation-file-tasks.js';
import type {
  ExportQuery,
  ImportedFileBody,
  ImportTranslationFile,
  TranslationFileBody,
} from './translation-files.schema.js';

/** Texts in a file, and those that are read at once. */
const MOST_SEGMENTS = 10_000;
const AT_ONCE = 1000;
/** Characters of the texts of a file, after which the next one begins. */
const MOST_CHARACTERS = 2_000_000;
const MOST_REFUSED = 100;

const MEDIA: Readonly<Record<FileFormat, { readonly ending: string; readonly type: string }>> = {
  xliff: { ending: 'xliff', type: 'application/xliff+xml' },
  po: { ending: 'po', type: 'text/x-gettext-translation' },
  tmx: { ending: 'tmx', type: 'application/x-tmx+xml' },
};

interface Languages extends Record<string, unknown> {
  readonly source: string;
  readonly target: string;
}

interface PresentText extends Record<string, unknown> {
  readonly digest: string;
  readonly target: Segment;
  readonly state: SegmentState;
}

/** The texts of translations as files of translators, out and in. */
@Injectable()
export class TranslationFiles {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly segments: Segments,
    private readonly corrections: Corrections,
    private readonly outbox: Outbox,
    private readonly workers: WorkerPool,
  ) {}

  /** One file of a translation; a large one has several. */
  async export(organizationId: string, translationId: string, query: ExportQuery): Promise<TranslationFileBody> {
    const { format } = query;
    const languages = await this.languages(organizationId, translationId);
    const units: FileUnit[] = [];
    let next = query.page;
    let characters = 0;
    do {
      const part = await this.part(organizationId, translationId, query, next);
      units.push(...part.items);
      characters += part.items.reduce((sum, { source, target }) => sum + sizeOf(source) + sizeOf(target), 0);
      next = part.next;
    } while (next !== undefined && units.length < MOST_SEGMENTS && characters < MOST_CHARACTERS);
    const content = await this.workers.run(WRITTEN_FILE, { ...languages, format, units }, { party: organizationId });
    const { ending, type: mediaType } = MEDIA[format];
    return {
      ...{ object: 'translation-file', format, name: `${languages.target}.${ending}`, mediaType },
      ...{ segments: units.length, content, ...(next !== undefined && { next: { page: next } }) },
    };
  }

  /**
   * Takes over the translations of a file, which are soon on the pages. Throws `invalid` for a file that cannot be read; texts
   * that cannot be stored are left out.
   */
  async import(
    callerId: string,
    organizationId: string,
    translationId: string,
    { format, content }: ImportTranslationFile,
  ): Promise<ImportedFileBody> {
    const languages = await this.languages(organizationId, translationId);
    const read = await this.workers.run(
      FILE_TRANSLATIONS,
      { ...languages, format, content },
      { party: organizationId },
    );
    if ('fault' in read) throw invalid('content', read.fault);
    return this.database.transaction(async () => {
      await this.segments.lock(callerId, organizationId, translationId);
      const sorted = await this.sort(organizationId, translationId, read.translations, format === 'tmx');
      await this.corrections.put(organizationId, translationId, sorted.taken);
      const reviewed = sorted.taken.filter((each) => each.reviewed).length;
      const unreviewed = sorted.taken.length - reviewed;
      if (sorted.taken.length > 0) {
        await this.outbox.record({
          type: 'translation_imported',
          organizationId,
          target: translationId,
          payload: { format, reviewed, unreviewed },
        });
      }
      return {
        ...{ object: 'translation-import', reviewed, unreviewed, unchanged: sorted.unchanged, unknown: sorted.unknown },
        refused: read.refused.slice(0, MOST_REFUSED).map((each) => ({ ...each })),
      };
    });
  }

  /** Decides by the present segments which translations count. */
  private async sort(
    organizationId: string,
    translationId: string,
    translations: readonly FileTranslation[],
    keepsUnknown: boolean,
  ): Promise<{ taken: FileTranslation[]; unchanged: number; unknown: number }> {
    const byDigest = new Map(translations.map((each) => [segmentDigest(each.source), each]));
    const present = await this.present(organizationId, translationId, [...byDigest.keys()]);
    const taken: FileTranslation[] = [];
    let [unchanged, unknown] = [translations.length - byDigest.size, 0];
    for (const [digest, each] of byDigest) {
      const now = present.get(digest);
      if (!now) {
        unknown++;
        if (keepsUnknown) taken.push(each);
      } else if (!each.reviewed && now.state === 'reviewed') unchanged++;
      else if (isSame(now, each)) unchanged++;
      else taken.push(each);
    }
    return { taken, unchanged, unknown };
  }

  private async present(
    organizationId: string,
    translationId: string,
    digests: readonly string[],
  ): Promise<Map<string, PresentText>> {
    const rows = await this.database.query<PresentText>(
      `SELECT DISTINCT ON (s.digest) encode(s.digest, 'hex') AS digest, s.target, s.state FROM translation_segment s
        WHERE s.organization_id = $1 AND s.translation_id = $2 AND s.digest = ANY (ARRAY (SELECT decode(d.digest, 'hex') FROM unnest($3::text[]) AS d (digest)))
        ORDER BY s.digest, s.id`,
      [organizationId, translationId, digests],
    );
    return new Map(rows.map((row) => [row.digest, row]));
  }

  private async part(
    organizationId: string,
    translationId: string,
    query: ExportQuery,
    page: string | undefined,
  ): Promise<{ items: FileUnit[]; next: string | undefined }> {
    const request = { limit: AT_ONCE, ...(page !== undefined && { page }) };
    if (query.format === 'tmx') {
      const memory = await this.memory(organizationId, translationId, request);
      return { items: memory.items.map((row) => ({ ...row, state: 'reviewed' })), next: memory.next };
    }
    const { pageId, state } = query;
    const found = await this.segments.list(organizationId, translationId, {
      ...request,
      ...(pageId !== undefined && { pageId }),
      ...(state !== undefined && { state }),
    });
    const items = found.items.map((row): FileUnit => {
      const { id, itemId: place, source, target, state: now, former } = row;
      return { id, place, source, target, state: now, ...(former !== null && { former }) };
    });
    return { items, next: found.next };
  }

  /** Everything that people have said, whether the source has the text at present or not. */
  private memory(
    organizationId: string,
    translationId: string,
    request: { limit: number; page?: string },
  ): Promise<Page<Pick<FileUnit, 'id' | 'source' | 'target'> & Record<string, unknown>>> {
    return this.pages.list(request, {
      scope: ['translation memory', organizationId, translationId],
      select: `encode(c.digest, 'hex') AS id, c.source, c.target`,
      from: 'FROM translation_correction c WHERE c.organization_id = $1 AND c.translation_id = $2 AND c.reviewed',
      values: [organizationId, translationId],
      order: [{ expression: `encode(c.digest, 'hex')`, type: 'text' }],
      direction: 'asc',
    });
  }

  private async languages(organizationId: string, translationId: string): Promise<Languages> {
    const found = await this.database.one<Languages>(
      'SELECT t.source_language AS source, t.language AS target FROM translation t WHERE t.organization_id = $1 AND t.id = $2',
      [organizationId, translationId],
    );
    if (!found) throw notFound('Translation');
    return found;
  }
}

function isSame(now: PresentText, { target, reviewed }: FileTranslation): boolean {
  return JSON.stringify(now.target) === JSON.stringify(target) && (now.state === 'reviewed') === reviewed;
}

function sizeOf(segment: Segment): number {
  return segment.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : 1), 0);
}
