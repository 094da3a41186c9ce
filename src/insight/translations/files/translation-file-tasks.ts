import { workerTask } from '../../../kernel/platform/workers/worker-task.js';
import { segmentText, type Segment } from '../domain/segment.js';
import { faultOfTarget } from '../domain/target-faults.js';
import { FileFault, type FileFormat, type FileLanguages, type FileUnit, type ReadUnit } from './translation-file.js';

/* Files of translations, as functions that any thread can run. */

interface Format {
  readonly write: (units: readonly FileUnit[], languages: FileLanguages) => string;
  readonly read: (text: string, languages: FileLanguages) => readonly ReadUnit[];
}

/** Their parsers are loaded where a file is read or written, and not with the server. */
const FORMATS: Readonly<Record<FileFormat, () => Promise<Format>>> = {
  xliff: async () => import('./xliff.js').then(({ writeXliff: write, readXliff: read }) => ({ write, read })),
  po: async () => import('./po.js').then(({ writePo: write, readPo: read }) => ({ write, read })),
  tmx: async () => import('./tmx.js').then(({ writeTmx: write, readTmx: read }) => ({ write, read })),
};

export interface FileWriteOrder extends FileLanguages {
  readonly format: FileFormat;
  readonly units: readonly FileUnit[];
}

/** A file with these texts. */
export async function writtenFile({ format, units, ...languages }: FileWriteOrder): Promise<string> {
  return (await FORMATS[format]()).write(units, languages);
}

export interface FileReadOrder extends FileLanguages {
  readonly format: FileFormat;
  readonly content: string;
}

/** A translation of a file that can be stored. */
export interface FileTranslation {
  readonly source: Segment;
  readonly target: Segment;
  readonly reviewed: boolean;
}

/** The translations of a file, and why others of it cannot be stored; `fault` for a file that cannot be read. */
export type ReadFile =
  | {
      readonly translations: readonly FileTranslation[];
      readonly refused: readonly { readonly unit: string; readonly message: string }[];
    }
  | { readonly fault: string };

export async function fileTranslations({ format, content, ...languages }: FileReadOrder): Promise<ReadFile> {
  const { read } = await FORMATS[format]();
  let units: readonly ReadUnit[];
  try {
    units = read(content, languages);
  } catch (error) {
    if (error instanceof FileFault) return { fault: error.message };
    throw error;
  }
  const translations: FileTranslation[] = [];
  const refused: { unit: string; message: string }[] = [];
  for (const { name, source, target, reviewed } of units) {
    const fault = source === undefined ? 'has tags that cannot be read' : faultOfTarget(source, target);
    if (source === undefined || target === undefined || fault !== undefined)
      refused.push({ unit: name, message: fault ?? 'has tags that cannot be read' });
    else translations.push({ source, target, reviewed });
  }
  return { translations, refused };
}

export const WRITTEN_FILE = workerTask(import.meta.url, writtenFile, {
  size: ({ units }) => units.reduce((sum, { source, target }) => sum + lengthOf(source) + lengthOf(target), 0),
});
export const FILE_TRANSLATIONS = workerTask(import.meta.url, fileTranslations, {
  size: ({ content }) => content.length,
});

function lengthOf(segment: Segment): number {
  return segmentText(segment).length;
}
