import { Readable } from 'node:stream';
import yazl from 'yazl';
import type { SourceFile } from '../domain/plan-model.js';

/** The same files make the same bytes, whenever they are packed. */
const TIME = new Date(Date.UTC(2000, 0, 1));
const MODE = 0o100644;

/** A zip archive of some files, by path; one of them is in memory at a time. A file that cannot be read ends the stream with its fault. */
export function packFiles(files: ReadonlyMap<string, Pick<SourceFile, 'read'>>): Readable {
  const archive = new yazl.ZipFile();
  // The types say NodeJS.ReadableStream, which is a PassThrough.
  const output = archive.outputStream as Readable;
  archive.on('error', (error) => output.destroy(error as Error));
  for (const [path, file] of files)
    archive.addReadStreamLazy(path, { mtime: TIME, mode: MODE }, (give) => {
      file.read().then(
        (bytes) => give(null, Readable.from([bytes])),
        (error: unknown) => give(error, Readable.from([])),
      );
    });
  archive.end();
  return output;
}
