import { Injectable } from '@nestjs/common';
import type { DataObject } from '../../kernel/common/expressions/tree.js';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { ContentStore, type Point } from './content-store.js';
import { EVALUATED_JSON } from './document-tasks.js';
import { mayHoldExpressions, type Evaluated } from '../../formats/document/evaluate.js';
import type { Item } from './domain/content-item.js';
import { presentVariables } from './present-content.js';

/** Evaluates documents with the variables of a point. */
@Injectable()
export class DocumentEvaluation {
  constructor(
    private readonly store: ContentStore,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * Returns the JSON of a document, evaluated as requested; `holder` is the page or reusable content with this body,
   * `visitor` the scope of a reader's claims.
   */
  async evaluate(
    point: Point,
    holder: Item,
    json: string,
    evaluated: Evaluated,
    visitor?: DataObject,
  ): Promise<string> {
    return this.several(point, evaluated, visitor)(holder, json);
  }

  /**
   * Like `evaluate`, for several holders of one point: its variables are read once, and only if a document has
   * expressions.
   */
  several(
    point: Point,
    evaluated: Evaluated,
    visitor?: DataObject,
  ): (holder: Pick<Item, 'props'>, json: string) => Promise<string> {
    let variables: Promise<DataObject> | undefined;
    return async (holder, json) => {
      if (evaluated === 'false' || !mayHoldExpressions(json)) return json;
      variables ??= this.store.ofKinds(point, ['variable']).then((items) => presentVariables(items) as DataObject);
      const pageVariables = (holder.props['variables'] ?? {}) as DataObject;
      return this.workers.run(EVALUATED_JSON, {
        json,
        scope: {
          spaceVariables: await variables,
          pageVariables,
          ...(visitor && { visitor }),
          deterministicOnly: evaluated !== 'true',
        },
      });
    };
  }
}
