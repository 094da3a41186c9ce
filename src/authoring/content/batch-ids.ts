import { newId } from '../../kernel/common/ids.js';
import type { ChangeInput } from './change-input.js';
import { ChangeFault } from './domain/content-change.js';
import { ROOT } from './domain/content-item.js';
import type { BatchRef } from './link-targets.js';

/**
 * The ids of all objects that a batch inserts, known before anything is read, so that its parts can refer to each
 * other.
 */
export class BatchIds {
  /** Pages and files by the `ref` of the change that inserts them. */
  readonly refs = new Map<string, BatchRef>();
  /** For each change, the ids of what it inserts. */
  private readonly ids: (readonly string[])[];

  /** Throws `ChangeFault` if two changes have the same `ref`. */
  constructor(inputs: readonly ChangeInput[]) {
    this.ids = inputs.map((input, index) => {
      if (input.operation === 'insert_page') return [this.name(index, input.ref, 'page', input.id ?? newId())];
      if (input.operation === 'insert_files')
        return input.files.map((file) => this.name(index, file.ref, 'file', file.id ?? newId()));
      return input.operation === 'insert_reusable_content' ? [input.id ?? newId()] : [];
    });
  }

  /** The id of the `at`-th object that a change inserts. */
  of(index: number, at = 0): string {
    const id = this.ids[index]?.[at];
    if (id === undefined) throw new Error(`change ${index} inserts nothing`);
    return id;
  }

  /** Resolves a page id or a `ref` of the batch. */
  page(idOrRef: string): string {
    const ref = this.refs.get(idOrRef);
    return ref?.kind === 'page' ? ref.id : idOrRef;
  }

  /** Resolves a parent: null and undefined are the root. */
  parent(idOrRef: string | null | undefined): string {
    return idOrRef === null || idOrRef === undefined ? ROOT : this.page(idOrRef);
  }

  private name(index: number, ref: string | undefined, kind: BatchRef['kind'], id: string): string {
    if (ref === undefined) return id;
    if (this.refs.has(ref)) throw new ChangeFault('ref', `the reference ${ref} is used twice`, index);
    this.refs.set(ref, { kind, id });
    return id;
  }
}
