import { canonical } from './visual/model/canonical.js';
import { type ContentDocument, EMPTY_DOCUMENT } from './visual/model/content.js';
import type { Change, Page } from '../queries.js';
import { markdownOf, oneLine, type PageText, textOf } from './page-text.js';

export type FormName = 'source' | 'visual';
/** A body of a text, in whichever form. */
export type AnyBody = string | ContentDocument;

type TextChange = Omit<Extract<Change, { operation: 'update_page' }>, 'operation' | 'page' | 'base' | 'resolutions'>;

/** A form of the text of a page: the one that its editor shows, and that is read from the interface and written to it. */
export interface TextForm<Body extends AnyBody> {
  readonly name: FormName;
  readonly format: 'markdown' | 'document';
  textOf(page: Page): PageText<Body>;
  /** The fields of a change that writes a text. */
  changeOf(text: PageText<Body>): TextChange;
  /** Tells whether a text that was kept is in this form. */
  has(text: PageText<AnyBody>): text is PageText<Body>;
  isSame(one: Body, other: Body): boolean;
}

export const SOURCE_FORM: TextForm<string> = {
  name: 'source',
  format: 'markdown',
  textOf: ({ markdown = '', title }) => textOf(markdown, title),
  changeOf: (text) => ({ document: { markdown: markdownOf(text) } }),
  has: (text): text is PageText => typeof text.body === 'string',
  isSame: (one, other) => one.trim() === other.trim(),
};

export const VISUAL_FORM: TextForm<ContentDocument> = {
  name: 'visual',
  format: 'document',
  textOf: ({ document, title }) => ({ title, body: (document as ContentDocument | undefined) ?? EMPTY_DOCUMENT }),
  changeOf: ({ title, body }) => ({ title: oneLine(title), document: { document: { ...body } } }),
  has: (text): text is PageText<ContentDocument> => typeof text.body !== 'string',
  isSame: (one, other) => canonical(one) === canonical(other),
};

/** The form in which a text was kept. */
export function formOf(text: PageText<AnyBody>): FormName {
  return typeof text.body === 'string' ? 'source' : 'visual';
}
