import { buffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import {
  presentProblem,
  presentWarning,
  type PresentedProblem,
  type PresentedWarning,
} from '../../formats/openapi/domain/present-problem.js';
import { Unreadable } from '../../formats/openapi/domain/specification-problem.js';
import { SpecificationReader } from '../../formats/openapi/reading/specification-reader.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { Blobs } from '../../kernel/platform/storage/blobs.js';
import { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import type { ProcessingErrorCode, RefusedEffect } from './openapi.schema.js';
import { MAX_SOURCE_BYTES } from './registry-limits.js';
import { FetchFailure, SourceFetcher, type Validators } from './source-fetcher.js';

/** Attempts that may end without an outcome, as when a server dies, before a specification is given up. */
const MAX_ATTEMPTS = 5;
const NO_VALIDATORS: Validators = { etag: null, lastModified: null };

/** A specification whose turn it is. */
export interface DueSpec extends Validators {
  readonly id: string;
  readonly slug: string;
  readonly url: string | null;
  readonly hash: string | null;
  readonly sourceNumber: number;
  readonly attempts: number;
  /** Accepts faults that do not stop reading; null where the installation decides. */
  readonly tolerant: boolean | null;
  /** The effect of changes from which on a new version is refused; null where every version is taken. */
  readonly failOn: RefusedEffect | null;
}

/** The outcome of reading a specification. */
export type ReadOutcome =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'read';
      readonly hash: string;
      readonly size: number;
      readonly validators: Validators;
      /** The first of the faults that were accepted. */
      readonly warnings: readonly PresentedWarning[];
      readonly warningCount: number;
    }
  | {
      readonly kind: 'failed';
      readonly code: ProcessingErrorCode;
      /** The first of its faults. */
      readonly errors: readonly PresentedProblem[];
      readonly errorCount: number;
    };

/** Fetches the sources of specifications, and stores what they say. */
@Injectable()
export class SpecificationSources {
  constructor(
    private readonly fetcher: SourceFetcher,
    private readonly reader: SpecificationReader,
    private readonly storage: FileStorage,
    private readonly blobs: Blobs,
    @Inject(CONFIG) private readonly config: Pick<Config, 'openapiTolerant'>,
  ) {}

  /** Reads the source of a specification; what is wrong with that is an outcome, and everything else is thrown. */
  async read(due: DueSpec, signal: AbortSignal): Promise<ReadOutcome> {
    if (due.attempts >= MAX_ATTEMPTS)
      return failed('PARSE_ERROR', [
        { code: 'given-up', message: `it could not be processed in ${MAX_ATTEMPTS} attempts` },
      ]);
    try {
      return await this.readSource(due, signal);
    } catch (error) {
      if (error instanceof FetchFailure)
        return failed(error.code, [
          { code: error.code === 'FETCH_TIMEOUT' ? 'fetch-timeout' : 'fetch-error', message: error.message },
        ]);
      if (error instanceof Unreadable) return failed('PARSE_ERROR', error.problems.map(presentProblem), error.total);
      throw error;
    }
  }

  private async readSource(
    { url, hash, etag, lastModified, tolerant }: DueSpec,
    signal: AbortSignal,
  ): Promise<ReadOutcome> {
    const fetch = this.fetcher.begin(MAX_SOURCE_BYTES, signal);
    const source =
      url === null
        ? { text: (await buffer(await this.storage.get(hash ?? ''))).toString(), url: undefined, ...NO_VALIDATORS }
        : await fetch.source(url, { etag, lastModified });
    if (source === null) return { kind: 'unchanged' };
    const text = source.text.replace(/^\uFEFF/, '');
    const { json, documents, warnings, warningCount } = await this.reader.read({
      text,
      base: source.url,
      maxLength: MAX_SOURCE_BYTES,
      tolerant: tolerant ?? this.config.openapiTolerant,
      fetch: (address) => fetch.document(address),
      signal,
    });
    const stored = await this.blobs.store(Buffer.from(json), { name: 'openapi.json', claimed: 'application/json' });
    // Other documents may change although this one does not.
    return {
      kind: 'read',
      hash: stored.hash,
      size: stored.size,
      validators: documents.length > 0 ? NO_VALIDATORS : source,
      warnings: warnings.map(presentWarning),
      warningCount,
    };
  }
}

function failed(
  code: ProcessingErrorCode,
  errors: readonly PresentedProblem[],
  errorCount = errors.length,
): ReadOutcome {
  return { kind: 'failed', code, errors, errorCount };
}
