import type { Segment } from '../domain/segment.js';
import type { SegmentState } from '../segments/segments.schema.js';

export const FILE_FORMATS = ['xliff', 'po', 'tmx'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** A text with its translation, as files hold it. */
export interface FileUnit {
  readonly id: string;
  /** The id of the page or reusable content with the text; undefined in a memory. */
  readonly place?: string;
  readonly source: Segment;
  /** That of an untranslated text is the source, and stands in no file. */
  readonly target: Segment;
  readonly state: SegmentState;
  /** The translation that a person has given to a former source. */
  readonly former?: { readonly source: Segment; readonly target: Segment };
}

/** The languages of a file, as codes of the public contract. */
export interface FileLanguages {
  readonly source: string;
  readonly target: string;
}

/** A text of a file; undefined for one with tags that cannot be read. */
export interface ReadUnit {
  /** The place in the file, for people. */
  readonly name: string;
  readonly source: Segment | undefined;
  readonly target: Segment | undefined;
  readonly reviewed: boolean;
}

/** A file cannot be read; the message continues a sentence about it. */
export class FileFault extends Error {}

/** Control characters, and others that XML does not have. */
const NO_XML = /(?![\t\n\r])[\p{Cc}\ufffe\uffff\p{Cs}]/gu;

export function withoutControls(text: string): string {
  return text.replace(NO_XML, '').replaceAll('\r', ' ');
}

export function escapedXml(text: string): string {
  return withoutControls(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** The tag of a language in files: `pt-BR`. */
export function languageTag(code: string): string {
  const [language = '', region] = code.split('-');
  return region === undefined ? language : `${language}-${region.toUpperCase()}`;
}

/** Tells whether a tag of a file names a language, or a variant of it: `es-MX` for `es`. */
export function isLanguage(tag: string, code: string): boolean {
  const [given, wanted] = [tag.toLowerCase().replaceAll('_', '-'), code.toLowerCase()];
  return given === wanted || given.startsWith(`${wanted}-`);
}
