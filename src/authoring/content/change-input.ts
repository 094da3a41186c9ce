import type { FileMetadata, PageAttributes, TagLook } from './domain/content-change.js';
import type { Document } from '../../formats/document/types.js';

/** A document as given by a caller: Markdown, or the document itself; neither means an empty one. */
export interface DocumentInput {
  readonly markdown?: string;
  readonly document?: Document;
  /** Internal: the hash of a document that is stored already. */
  readonly stored?: string;
}

/** A file as given by a caller; its bytes in one of four ways. */
export interface FileInput {
  readonly ref?: string;
  readonly name: string;
  readonly contentType?: string;
  readonly url?: string;
  readonly base64?: string;
  /** Internal: bytes already stored, and ids already assigned. */
  readonly stored?: Omit<FileMetadata, 'name'>;
  readonly id?: string;
  readonly git?: unknown;
}

interface PageInput extends PageAttributes {
  readonly at?: number;
  readonly document?: DocumentInput;
}

/** How a caller settles a conflict of a text: with a side, or with other Markdown. */
export interface ResolutionInput {
  readonly conflict: string;
  readonly keep?: 'current' | 'given';
  readonly markdown?: string;
}

/**
 * One change of a batch as given by a caller. `into`, `page`, `file` and `reusableContent` take an id or the `ref` of
 * an earlier change of the batch. `id` of an inserted object is for internal callers (import), which need to know the
 * ids of their pages beforehand.
 */
export type ChangeInput =
  | ({
      readonly operation: 'insert_page';
      readonly ref?: string;
      readonly id?: string;
      readonly into?: string | null;
    } & PageInput)
  | ({
      readonly operation: 'update_page';
      readonly page: string;
      readonly into?: string | null;
      /** The revision on which the document was written: what has changed since is merged with it. */
      readonly base?: string;
      /** How conflicts with that are settled. */
      readonly resolutions?: readonly ResolutionInput[];
    } & PageInput)
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
    }
  | ({ readonly operation: 'insert_tag'; readonly slug?: string; readonly label: string } & TagLook)
  | ({ readonly operation: 'update_tag'; readonly tag: string; readonly label?: string } & TagLook)
  | { readonly operation: 'delete_tag'; readonly tag: string };
