import { Injectable } from '@nestjs/common';
import { invalid } from '../../kernel/common/errors.js';
import { OutboundError } from '../../kernel/platform/outbound/outbound-error.js';
import { Outbound } from '../../kernel/platform/outbound/outbound.js';
import { Blobs } from '../../kernel/platform/storage/blobs.js';
import type { ByteSource } from '../../kernel/platform/storage/spool.js';
import type { ChangeInput, FileInput } from './change-input.js';
import { ContentStore, type Point } from './content-store.js';
import { ChangeFault, type FileMetadata } from './domain/content-change.js';

const MAX_BASE64_BYTES = 1024 ** 2;
const MAX_FILE_BYTES = 100 * 1024 ** 2;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type Source = Pick<FileInput, 'name' | 'contentType' | 'url' | 'base64' | 'stored'>;

/** A file whose bytes are the body of a request. */
export interface FileUpload {
  readonly bytes: ByteSource;
  readonly name: string;
  /** The file that gets the bytes; a new one without. */
  readonly file: string | undefined;
  /** The media type that the sender names. */
  readonly type: string | undefined;
}

/** Stores the bytes of a batch, before its transaction begins. */
@Injectable()
export class FileIntake {
  constructor(
    private readonly blobs: Blobs,
    private readonly outbound: Outbound,
    private readonly items: ContentStore,
  ) {}

  /** The stored files by the index of the change; throws `ChangeFault` for a file that cannot be accepted. */
  async store(inputs: readonly ChangeInput[]): Promise<Map<number, readonly FileMetadata[]>> {
    const stored = new Map<number, readonly FileMetadata[]>();
    for (const [index, input] of inputs.entries()) {
      if (input.operation === 'insert_files') {
        const files: FileMetadata[] = [];
        for (const [at, file] of input.files.entries()) files.push(await this.take(file, index, `files.${at}`));
        stored.set(index, files);
      } else if (input.operation === 'update_file' && (input.url ?? input.base64 ?? input.stored) !== undefined) {
        stored.set(index, [await this.take({ ...input, name: input.name ?? 'file' }, index, '')]);
      }
    }
    return stored;
  }

  /** The change that writes a file whose bytes are received. Throws `tooLarge`, and `invalid` if it replaces no file of `point`. */
  async received(point: Point, { bytes, name, file, type }: FileUpload): Promise<ChangeInput> {
    if (file !== undefined && !(await this.items.get(point, 'file', file)))
      throw invalid('file', 'there is no such file');
    const [claimed = ''] = type?.split(';', 1) ?? [];
    const stored = await this.blobs.store(bytes, {
      name,
      maxBytes: MAX_FILE_BYTES,
      ...(MEDIA_TYPE.test(claimed.trim()) && { claimed: claimed.trim() }),
    });
    return file === undefined
      ? { operation: 'insert_files', files: [{ name, stored }] }
      : { operation: 'update_file', file, stored };
  }

  private async take(source: Source, index: number, path: string): Promise<FileMetadata> {
    if (source.stored) return { name: source.name, ...source.stored };
    const field = (name: string) => (path === '' ? name : `${path}.${name}`);
    if ((source.base64 === undefined) === (source.url === undefined))
      throw new ChangeFault(field('base64'), 'a file needs either url or base64', index);
    return source.url === undefined
      ? this.decode(source, source.base64 ?? '', index, field)
      : this.fetch(source, source.url, index, field);
  }

  private async decode(
    source: Source,
    base64: string,
    index: number,
    field: (name: string) => string,
  ): Promise<FileMetadata> {
    if (source.contentType === undefined) throw new ChangeFault(field('contentType'), 'is needed with base64', index);
    if (!BASE64.test(base64)) throw new ChangeFault(field('base64'), 'is not base64', index);
    const bytes = Buffer.from(base64, 'base64');
    if (bytes.length > MAX_BASE64_BYTES)
      throw new ChangeFault(field('base64'), `the file is larger than ${MAX_BASE64_BYTES} bytes`, index);
    return {
      name: source.name,
      ...(await this.blobs.store(bytes, { name: source.name, claimed: source.contentType })),
    };
  }

  /** Fetches through the guard: private addresses are refused, and nothing of a failed response is shown. */
  private async fetch(
    source: Source,
    url: string,
    index: number,
    field: (name: string) => string,
  ): Promise<FileMetadata> {
    try {
      const answer = await this.outbound.open(url, { maxBytes: MAX_FILE_BYTES });
      if (answer.status !== 200) {
        answer.body.destroy();
        throw new ChangeFault(field('url'), 'the address did not give the file', index);
      }
      return {
        name: source.name,
        ...(await this.blobs.store(answer.body, {
          name: source.name,
          claimed: source.contentType,
          maxBytes: MAX_FILE_BYTES,
        })),
      };
    } catch (error) {
      if (error instanceof OutboundError) throw new ChangeFault(field('url'), error.message, index);
      throw error;
    }
  }
}
