import type { FileMetadata, PageAttributes } from './domain/content-change.js';
import type { Document } from '../../formats/document/types.js';

/** A document as a caller gives it: Markdown, or the document itself; neither is an empty one. */
export interface DocumentInput {
  readonly markdown?: string;
  readonly document?: Document;
  /** Only inside the service: the hash of a document that is stored already. */
  readonly stored?: string;
}

/** A file as a caller gives it; its bytes in one of four ways. */
export interface FileInput {
  readonly ref?: string;
  readonly name: string;
  readonly contentType?: string;
  readonly url?: string;
  readonly base64?: string;
  /** Only inside the service: bytes already stored, and ids already given. */
  readonly stored?: Omit<FileMetadata, 'name'>;
  readonly id?: string;
  readonly git?: unknown;
}

interface PageInput extends PageAttributes {
  readonly at?: number;
  readonly document?: DocumentInput;
}

/**
 * One change of a batch as a caller gives it. `into`, `page`, `file` and `reusableContent` take an id or the `ref` of an
 * earlier change of the batch. `id` on what is inserted is for the service's own callers (import), which need to know
 * the ids of their pages beforehand.
 */
export type ChangeInput =
  | ({
      readonly operation: 'insert_page';
      readonly ref?: string;
      readonly id?: string;
      readonly into?: string | null;
    } & PageInput)
  | ({ readonly operation: 'update_page'; readonly page: string; readonly into?: string | null } & PageInput)
  | { readonly operation: 'delete_page'; readonly page: string }
  | {
      readonly operation: 'revert_page';
      readonly page: string;
      readonly revision?: string;
      readonly block?: readonly string[];
    }
  | { readonly operation: 'insert_files'; readonly files: readonly FileInput[] }
  | ({ readonly operation: 'update_file'; readonly file: string; readonly name?: string } & Pick<
      FileInput,
      'contentType' | 'url' | 'base64' | 'stored' | 'git'
    >)
  | { readonly operation: 'delete_files'; readonly files: readonly string[] }
  | {
      readonly operation: 'insert_reusable_content';
      readonly ref?: string;
      readonly id?: string;
      readonly title: string;
      readonly document?: DocumentInput;
      readonly git?: unknown;
    }
  | {
      readonly operation: 'update_reusable_content';
      readonly reusableContent: string;
      readonly title?: string;
      readonly document?: DocumentInput;
      readonly git?: unknown;
    }
  | { readonly operation: 'delete_reusable_content'; readonly reusableContent: string }
  | {
      readonly operation: 'set_variables';
      readonly variables: Readonly<Record<string, string | number | boolean | null>>;
    };
