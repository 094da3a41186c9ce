import { open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

/** The position of a document in its spool. */
export interface SpooledDocument {
  readonly offset: number;
  readonly length: number;
}

/**
 * Documents on disk between reading and writing them: a whole space of them would not fit into memory. The file is
 * unlinked, so it disappears with the process in any case.
 */
export class DocumentSpool {
  private end = 0;

  private constructor(private readonly file: FileHandle) {}

  /** Calls `work` with an empty spool. */
  static async use<T>(work: (spool: DocumentSpool) => Promise<T>): Promise<T> {
    const path = join(tmpdir(), `bindery-spool-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    try {
      await rm(path);
      return await work(new DocumentSpool(file));
    } finally {
      await file.close();
    }
  }

  /** Stores the JSON of a document. */
  async add(json: string): Promise<SpooledDocument> {
    const bytes = Buffer.from(json);
    const offset = this.end;
    this.end += bytes.length;
    await this.file.write(bytes, 0, bytes.length, offset);
    return { offset, length: bytes.length };
  }

  async read({ offset, length }: SpooledDocument): Promise<string> {
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length;) {
      const { bytesRead } = await this.file.read(bytes, at, length - at, offset + at);
      if (bytesRead === 0) throw new Error('the spool of documents is shorter than what was written to it');
      at += bytesRead;
    }
    return bytes.toString('utf8');
  }
}
