import { toNewDocument } from '../content/document-codec.js';
import type { NewDocument } from '../content/document-store.js';
import type { Refused } from '../content/document-tasks.js';
import type { Side } from '../content/domain/block-order.js';
import { writeConflict, type WrittenConflict } from '../content/domain/conflict.js';
import { normalizeDocument } from '../../formats/document/normalize-document.js';
import { hashText } from '../../formats/document/hash.js';
import type { Document } from '../../formats/document/types.js';
import { validateDocument } from '../../formats/document/validate.js';
import type { DocumentMerge, MergedDocument } from '../content/domain/merge.js';
import { mergeDocument } from '../content/domain/merge-document.js';
import { settlingBy } from '../content/settled-blocks.js';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';

/* Merges of the texts of documents, as functions of texts that any thread can run. */

/**
 * The resolution of a document conflict by a caller: a side, or the JSON of another document, given in the field
 * `path`.
 */
export type GivenResolution = { readonly keep: Side } | { readonly json: string; readonly path: string };

/** The resolutions of document conflicts: by conflict id, else the default, else none. */
export interface GivenResolutions {
  readonly byConflict: ReadonlyMap<string, GivenResolution>;
  readonly otherwise?: Side;
}

export interface MergeOrder {
  readonly merges: readonly DocumentMerge[];
  /** The JSON of the documents to merge, by hash. */
  readonly texts: ReadonlyMap<string, string>;
  readonly resolutions: GivenResolutions;
  /** True if the result is to be stored, false if only its conflicts are needed. */
  readonly isStored: boolean;
}

/** A merged document, and its stored form if it is new and has no open conflict. */
export interface MadeMerge extends MergedDocument {
  readonly document: NewDocument | undefined;
}

/** Merges documents, in their order; or returns why a resolution of a conflict is refused. */
export function mergeDocuments({ merges, texts, resolutions, isStored }: MergeOrder): readonly MadeMerge[] | Refused {
  const own = new Map<string, Document>();
  for (const [conflict, given] of resolutions.byConflict) {
    if ('keep' in given) continue;
    const document = JSON.parse(given.json) as Document;
    const [fault] = validateDocument(document);
    if (fault) return { fault: { path: `${given.path}.${fault.path}`, message: fault.message } };
    own.set(conflict, normalizeDocument(document));
  }
  return merges.map((merge): MadeMerge => {
    const conflicts: WrittenConflict[] = [];
    const settle = settlingBy(own, (conflict) => {
      const given = resolutions.byConflict.get(conflict.id);
      const side = given && 'keep' in given ? given.keep : resolutions.otherwise;
      if (side === undefined) conflicts.push(writeConflict(conflict));
      return side;
    });
    const [base, primary, changed] = [merge.base, merge.primary, merge.changed].map((hash) =>
      hash === null ? undefined : texts.get(hash),
    );
    const json = mergeDocument(merge.item, { base, primary, changed }, settle);
    if (json === undefined) return { hash: null, conflicts, document: undefined };
    const hash = hashText(json);
    const isNew = isStored && conflicts.length === 0 && !texts.has(hash);
    return { hash, conflicts, document: isNew ? toNewDocument(JSON.parse(json) as Document, json, hash) : undefined };
  });
}

/** A document in JSON is about four times as long as its Markdown. */
const JSON_LENGTH = 4;
/** Blocks of stored documents are compared as text: 64 KB take about half a millisecond, which is less than their way to a thread and back. */
const COMPARED_JSON_LENGTH = 16;

export const MERGE_DOCUMENTS = workerTask(import.meta.url, mergeDocuments, {
  size: ({ texts, resolutions }) => {
    const given = [...resolutions.byConflict.values()].map((each) => ('json' in each ? each.json : ''));
    const lengthOf = (all: readonly string[]) => all.reduce((sum, text) => sum + text.length, 0);
    return lengthOf([...texts.values()]) / COMPARED_JSON_LENGTH + lengthOf(given) / JSON_LENGTH;
  },
});
