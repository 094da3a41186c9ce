import type { SpecificationProblem } from '../domain/specification-problem.js';
import type { FetchedDocument, ReadSpecification } from './read-specification.js';

/** The input of a thread. */
export interface Order {
  readonly text: string;
  readonly base: string | undefined;
  readonly maxLength: number;
  /** Accepts faults that do not stop reading, with a warning for each. */
  readonly tolerant?: boolean | undefined;
}

/** The messages of a thread: a request for another document, and finally the result. */
export type FromThread =
  | { readonly kind: 'fetch'; readonly address: string }
  | { readonly kind: 'read'; readonly specification: ReadSpecification }
  | { readonly kind: 'unreadable'; readonly problems: readonly SpecificationProblem[]; readonly total: number };

/** The message to a thread: the document that it requested. */
export interface ToThread {
  readonly address: string;
  readonly document: FetchedDocument;
}
