import type { Item, PageType } from './content-item.js';
import type { PageTag } from './tags.js';

/** Attributes of a page beside its place and its document; '' removes an emoji, icon, condition or description. */
export interface PageAttributes {
  readonly type?: PageType;
  readonly title?: string;
  readonly slug?: string;
  readonly emoji?: string;
  readonly icon?: string;
  readonly linkTitle?: string;
  readonly description?: string;
  readonly hidden?: boolean;
  readonly noIndex?: boolean;
  readonly noRobotsIndex?: boolean;
  readonly condition?: string;
  readonly layout?: unknown;
  readonly cover?: unknown;
  readonly variables?: unknown;
  readonly metaLinks?: unknown;
  readonly target?: unknown;
  readonly computed?: unknown;
  readonly git?: unknown;
  /** All tags of the page; null removes them. */
  readonly tags?: readonly PageTag[] | null;
}

/** How a tag looks beside its label; '' removes an emoji or icon. */
export interface TagLook {
  readonly color?: string;
  readonly emoji?: string;
  readonly icon?: string;
}

/** A document that has been parsed, keyed and stored under its hash; null is an empty page. */
export interface WrittenDocument {
  readonly hash: string | null;
  /**
   * The page attributes in its source (front matter, first heading); they take precedence over the change's own fields.
   */
  readonly attributes: PageAttributes;
}

export interface FileMetadata {
  readonly name: string;
  readonly hash: string;
  readonly contentType: string;
  readonly size: number;
  readonly width?: number;
  readonly height?: number;
}

/** One change with its documents and files already stored and its references to the batch resolved to ids. */
export type ContentChange =
  | ({
      readonly operation: 'insert_page';
      readonly id: string;
      readonly into: string;
      readonly at?: number;
      readonly document: WrittenDocument;
    } & PageAttributes)
  | ({
      readonly operation: 'update_page';
      readonly page: string;
      readonly into?: string;
      readonly at?: number;
      readonly document?: WrittenDocument;
    } & PageAttributes)
  | { readonly operation: 'delete_page'; readonly page: string }
  | { readonly operation: 'restore_page'; readonly version: Item }
  | { readonly operation: 'insert_file'; readonly id: string; readonly file: FileMetadata; readonly git?: unknown }
  | {
      readonly operation: 'update_file';
      readonly file: string;
      readonly name?: string;
      readonly content?: FileMetadata;
      readonly git?: unknown;
    }
  | { readonly operation: 'delete_file'; readonly file: string }
  | {
      readonly operation: 'insert_reusable_content';
      readonly id: string;
      readonly title: string;
      readonly document: WrittenDocument;
      readonly git?: unknown;
    }
  | {
      readonly operation: 'update_reusable_content';
      readonly reusableContent: string;
      readonly title?: string;
      readonly document?: WrittenDocument;
      readonly git?: unknown;
    }
  | { readonly operation: 'delete_reusable_content'; readonly reusableContent: string }
  | {
      readonly operation: 'set_variables';
      readonly variables: Readonly<Record<string, string | number | boolean | null>>;
    }
  | ({ readonly operation: 'insert_tag'; readonly slug: string; readonly label: string } & TagLook)
  | ({ readonly operation: 'update_tag'; readonly tag: string; readonly label?: string } & TagLook)
  | { readonly operation: 'delete_tag'; readonly tag: string };

/** A change that breaks a rule; `field` is the part at fault, '' the whole. */
export class ChangeFault extends Error {
  constructor(
    readonly field: string,
    message: string,
    readonly index?: number,
  ) {
    super(message);
    this.name = 'ChangeFault';
  }
}
