import type { SpecificationProblem } from '../domain/specification-problem.js';
import type { FetchedDocument, ReadSpecification } from './read-specification.js';

/** What a thread is to read. */
export interface Order {
  readonly text: string;
  readonly base: string | undefined;
  readonly maxLength: number;
}

/** What a thread says: that it needs another document, and at last what came of it. */
export type FromThread =
  | { readonly kind: 'fetch'; readonly address: string }
  | { readonly kind: 'read'; readonly specification: ReadSpecification }
  | { readonly kind: 'unreadable'; readonly problems: readonly SpecificationProblem[] };

/** What a thread is told: the document that it asked for. */
export interface ToThread {
  readonly address: string;
  readonly document: FetchedDocument;
}
