import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { yieldToOthers } from '../common/context.js';
import { Jobs } from '../platform/jobs/jobs.js';
import { keyed, toNewDocument } from './document-codec.js';
import { DocumentStore, type NewDocument } from './document-store.js';
import { completeDocument } from './domain/document/complete.js';
import { contentJson } from './domain/document/hash.js';
import type { Document } from './domain/document/types.js';
import { validateDocument } from './domain/document/validate.js';

/** A document that a later change will give to a page or reusable content; `previous` is the hash of the one that it replaces. */
export interface DocumentDraft {
  readonly document: Document;
  readonly previous: string | null;
}

/** The hash to name in the change; that of `previous` where both say the same. `fault` says why a document cannot be stored. */
export type StagedDocument = { readonly hash: string } | { readonly fault: string };

/** Hours for which a document waits for its change: far longer than any import takes. */
const KEPT_HOURS = 24;
const SWEPT_AT_ONCE = 1000;

/**
 * Stores the documents of large writes ahead of their changes, so that neither all of them are in memory at once nor the
 * space is locked meanwhile. A document that no change comes to name is never shown by anything, and removed after a day.
 */
@Injectable()
export class DocumentStaging implements OnModuleInit {
  constructor(
    private readonly store: DocumentStore,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('documents.remove-unclaimed', async () => {
      await this.store.sweep(new Date(this.clock.now().getTime() - KEPT_HOURS * 3600 * 1000), SWEPT_AT_ONCE);
    });
  }

  /** Stores those of a small batch that say something new. Their references must be resolved already. */
  async stage(spaceId: string, language: string | null, drafts: readonly DocumentDraft[]): Promise<StagedDocument[]> {
    const before = await this.store.json(spaceId, drafts.flatMap(({ previous }) => previous ?? []), { keep: false });
    const fresh: NewDocument[] = [];
    const staged: StagedDocument[] = [];
    for (const { document, previous } of drafts) {
      const known = previous === null ? undefined : before.get(previous);
      staged.push(stageOne(document, previous, known === undefined ? undefined : (JSON.parse(known) as Document), fresh));
      await yieldToOthers();
    }
    await this.store.stage(spaceId, language, fresh);
    return staged;
  }

  /** To be called in the transaction of the change, with the hashes that it names; false where one has waited for too long. */
  claim(spaceId: string, hashes: Iterable<string>): Promise<boolean> {
    return this.store.claim(spaceId, hashes);
  }
}

function stageOne(document: Document, hash: string | null, previous: Document | undefined, fresh: NewDocument[]): StagedDocument {
  const complete = completeDocument(document);
  if (hash !== null && previous && contentJson(previous) === contentJson(complete)) return { hash };
  const [fault] = validateDocument(complete);
  if (fault) return { fault: fault.path === '' ? fault.message : `${fault.path}: ${fault.message}` };
  const made = toNewDocument(keyed(complete, previous));
  fresh.push(made);
  return { hash: made.hash };
}
