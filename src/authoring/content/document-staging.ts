import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { yieldToOthers } from '../../kernel/common/context.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { DocumentStore, type NewDocument } from './document-store.js';
import { NEXT_VERSION, type Refused } from './document-tasks.js';

/** A document for a later change of a page or reusable content; `previous` is the hash of the one that it replaces. */
export interface DocumentDraft {
  /** The document as JSON. */
  readonly json: string;
  readonly previous: string | null;
}

/**
 * The hash for the change; that of `previous` if both have the same content. `fault` is the reason why a document
 * cannot be stored.
 */
export type StagedDocument = { readonly hash: string } | { readonly fault: string };

/** Hours for which a document waits for its change: far longer than any import takes. */
const KEPT_HOURS = 24;
const SWEPT_AT_ONCE = 1000;

/**
 * Stores the documents of large writes before their changes, so that they are not all in memory at once and the space
 * is not locked meanwhile. A document without a change is never shown, and removed after a day.
 */
@Injectable()
export class DocumentStaging implements OnModuleInit {
  constructor(
    private readonly store: DocumentStore,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly workers: WorkerPool,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('documents.remove-unclaimed', async () => {
      await this.store.sweep(new Date(this.clock.now().getTime() - KEPT_HOURS * 3600 * 1000), SWEPT_AT_ONCE);
    });
  }

  /** Stores the changed documents of a small batch. Their references must be resolved already. */
  async stage(spaceId: string, language: string | null, drafts: readonly DocumentDraft[]): Promise<StagedDocument[]> {
    const before = await this.store.json(
      spaceId,
      drafts.flatMap(({ previous }) => previous ?? []),
      { keep: false },
    );
    const fresh: NewDocument[] = [];
    const staged: StagedDocument[] = [];
    for (const { json, previous } of drafts) {
      const known = previous === null ? undefined : before.get(previous);
      const made = await this.nextVersion(json, known);
      if (made && 'hash' in made) fresh.push(made);
      staged.push(made === undefined ? { hash: previous ?? '' } : 'hash' in made ? { hash: made.hash } : faultOf(made));
      await yieldToOthers();
    }
    await this.store.stage(spaceId, language, fresh);
    return staged;
  }

  private async nextVersion(json: string, previous: string | undefined): Promise<NewDocument | Refused | undefined> {
    try {
      return await this.workers.run(NEXT_VERSION, { json, previous });
    } catch (error) {
      if (error instanceof TaskLimitExceeded) return { fault: { path: '', message: error.reason } };
      throw error;
    }
  }

  /** Must be called in the transaction of the change, with its hashes; false if a document has expired. */
  claim(spaceId: string, hashes: Iterable<string>): Promise<boolean> {
    return this.store.claim(spaceId, hashes);
  }
}

function faultOf({ fault: { path, message } }: Refused): StagedDocument {
  return { fault: path === '' ? message : `${path}: ${message}` };
}
