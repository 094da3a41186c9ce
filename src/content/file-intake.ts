import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors.js';
import { Blobs } from '../platform/storage/blobs.js';
import type { ChangeInput, FileInput } from './change-input.js';
import { ChangeFault, type FileFacts } from './domain/change.js';

export const MAX_BASE64_BYTES = 1024 ** 2;
export const MAX_FETCHED_BYTES = 100 * 1024 ** 2;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type Source = Pick<FileInput, 'name' | 'contentType' | 'url' | 'base64' | 'stored'>;

/** Stores the bytes that come with a batch, before its transaction begins. */
@Injectable()
export class FileIntake {
  constructor(private readonly blobs: Blobs) {}

  /** The stored files by the index of the change; throws `ChangeFault` for a file that cannot be taken. */
  async store(inputs: readonly ChangeInput[]): Promise<Map<number, readonly FileFacts[]>> {
    const stored = new Map<number, readonly FileFacts[]>();
    for (const [index, input] of inputs.entries()) {
      if (input.operation === 'insert_files') {
        const files: FileFacts[] = [];
        for (const [at, file] of input.files.entries()) files.push(await this.take(file, index, `files.${at}`));
        stored.set(index, files);
      } else if (input.operation === 'update_file' && (input.url !== undefined || input.base64 !== undefined)) {
        stored.set(index, [await this.take({ ...input, name: input.name ?? 'file' }, index, '')]);
      }
    }
    return stored;
  }

  private async take(source: Source, index: number, path: string): Promise<FileFacts> {
    if (source.stored) return { name: source.name, ...source.stored };
    const field = (name: string) => (path === '' ? name : `${path}.${name}`);
    if (source.base64 === undefined || source.url !== undefined) throw new ChangeFault(field('base64'), 'a file needs either url or base64', index);
    if (source.contentType === undefined) throw new ChangeFault(field('contentType'), 'is needed with base64', index);
    if (!BASE64.test(source.base64)) throw new ChangeFault(field('base64'), 'is not base64', index);
    const bytes = Buffer.from(source.base64, 'base64');
    try {
      const { contentType: _sniffed, ...facts } = await this.blobs.store(bytes, { name: source.name, maxBytes: MAX_BASE64_BYTES });
      return { name: source.name, ...facts, contentType: source.contentType };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'tooLarge') throw new ChangeFault(field('base64'), `the file is larger than ${MAX_BASE64_BYTES} bytes`, index);
      throw error;
    }
  }
}
