import { Injectable } from '@nestjs/common';
import type { DataObject } from '../../kernel/common/expressions/tree.js';
import { ContentStore, type Point } from './content-store.js';
import { DocumentEvaluation } from './document-evaluation.js';
import { IntegrationBlocks } from './integration-blocks.js';
import { DocumentStore } from './document-store.js';
import { document } from '../../formats/document/build.js';
import { referencesIn } from '../../formats/document/derive.js';
import type { Evaluated } from '../../formats/document/evaluate.js';
import type { ContentRef, Document } from '../../formats/document/types.js';

/** Maximum nesting depth of reusable contents. */
const MAX_DEPTH = 8;
/** Maximum total length of the reusable contents of one page in characters; further ones are left out. */
const MAX_SIZE = 16 * 1024 ** 2;
/** Maximum number of bodies in memory as text at once. */
const BODIES_AT_ONCE = 25;
const EMPTY = JSON.stringify(document([]));

/** The reader for whom expressions are evaluated. */
export interface EvaluationContext {
  readonly evaluated: Evaluated;
  readonly visitor?: DataObject;
}

/** Tells whether a reference refers to an object of the space itself. */
export function isOwn(ref: ContentRef, spaceId: string): boolean {
  return !('space' in ref) || ref.space === undefined || ref.space === spaceId;
}

/** Reads the reusable contents in pages. */
@Injectable()
export class ReusedDocuments {
  constructor(
    private readonly store: ContentStore,
    private readonly documents: DocumentStore,
    private readonly evaluation: DocumentEvaluation,
    private readonly integrations: IntegrationBlocks,
  ) {}

  /** The reusable contents of references, including nested ones, as far as they fit into memory. */
  async of(
    references: readonly ContentRef[],
    point: Point,
    { evaluated, visitor }: EvaluationContext,
  ): Promise<Map<string, Document>> {
    const found = new Map<string, Document>();
    const evaluate = this.evaluation.several(point, evaluated, visitor);
    let [open, size] = [references, 0];
    for (let depth = 0; depth < MAX_DEPTH && open.length > 0; depth++) {
      const ids = open.flatMap((ref) =>
        ref.kind === 'reusable-content' && isOwn(ref, point.spaceId) && !found.has(ref.reusableContent)
          ? ref.reusableContent
          : [],
      );
      const items = [
        ...(
          await this.store.byKeys(
            point,
            ids.map((id) => `reusable:${id}` as const),
          )
        ).values(),
      ];
      const made: Document[] = [];
      for (let start = 0; start < items.length && size <= MAX_SIZE; start += BODIES_AT_ONCE) {
        const batch = items.slice(start, start + BODIES_AT_ONCE);
        const bodies = await this.documents.json(
          point.spaceId,
          batch.flatMap(({ hash }) => hash ?? []),
          { keep: false },
        );
        for (const item of batch) {
          if (size > MAX_SIZE) break;
          const json = (item.hash === null ? undefined : bodies.get(item.hash)) ?? EMPTY;
          size += json.length;
          const read = JSON.parse(await this.integrations.rendered(await evaluate(item, json))) as Document;
          found.set(item.id, read);
          made.push(read);
        }
      }
      open = made.flatMap(referencesIn);
    }
    return found;
  }
}
