import { Amount, Id, Nested, ObjectName, OneOf, Text } from '../../../kernel/common/fields.js';
import { SEGMENT_STATES, type SegmentState } from '../segments/segments.schema.js';
import { FILE_FORMATS, type FileFormat } from './translation-file.js';

/** Characters of a file that is imported. */
export const MOST_CONTENT = 5_000_000;

const FORMATS = 'XLIFF 2.1, PO of GNU gettext, or TMX 1.4, which has what people have said of each text once';
const XLIFF =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="es"><file id="page"><unit id="text">' +
  '<segment state="reviewed"><source>Begin here.</source><target>Comience aquí.</target></segment></unit></file></xliff>\n';

export class ExportQuery {
  @OneOf(FILE_FORMATS, { description: FORMATS }) format: FileFormat;
  @Id({ optional: true, description: 'Only texts of this page, by its id in the space with the translation' })
  pageId?: string;
  @OneOf(SEGMENT_STATES, { optional: true, description: 'Only texts in this state; of TMX they are all reviewed' })
  state?: SegmentState;
  @Text({
    optional: true,
    min: 1,
    max: 4096,
    description: 'Token of the next file of a large translation: `next.page` of the one before',
  })
  page?: string;
}

class NextFile {
  @Text({ description: 'The `page` of the next file' }) page: string;
}

export class TranslationFileBody {
  @ObjectName('translation-file') object: 'translation-file';
  @OneOf(FILE_FORMATS) format: FileFormat;
  @Text({ example: 'es.xliff', description: 'A name for the file' }) name: string;
  @Text({ example: 'application/xliff+xml' }) mediaType: string;
  @Amount({ min: 0, description: 'Texts in the file' }) segments: number;
  @Text({ example: XLIFF, description: 'The file, in UTF-8' }) content: string;
  @Nested(() => NextFile, { optional: true, description: 'Where more texts follow: a file has 10,000 at most' })
  next?: NextFile;
}

export class ImportTranslationFile {
  @OneOf(FILE_FORMATS, { description: FORMATS }) format: FileFormat;
  @Text({ min: 1, max: MOST_CONTENT, example: XLIFF, description: 'The file' }) content: string;
}

class RefusedUnit {
  @Text({ example: 'AbCdEfGh0123456789Xa', description: 'The unit in the file' }) unit: string;
  @Text({ example: 'has no words' }) message: string;
}

export class ImportedFileBody {
  @ObjectName('translation-import') object: 'translation-import';
  @Amount({ min: 0, description: 'Texts that the file says are reviewed, and that are so now' }) reviewed: number;
  @Amount({
    min: 0,
    description: 'Texts that were taken from the file without being reviewed: they stay `machine` or `outdated`',
  })
  unreviewed: number;
  @Amount({ min: 0, description: 'Texts that are as in the file already, or that a person has reviewed otherwise' })
  unchanged: number;
  @Amount({ min: 0, description: 'Texts that the source does not have (any more)' }) unknown: number;
  @Nested(() => RefusedUnit, { list: true, maxItems: 100, description: 'Texts that cannot be stored, the first 100' })
  refused: RefusedUnit[];
}
