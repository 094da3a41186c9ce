import type { ItemProps } from './content-item.js';

/** The note that a page of a translation has for its readers, until people have reviewed all of its texts. */
export const READER_NOTES = ['machine', 'outdated'] as const;
export type ReaderNote = (typeof READER_NOTES)[number];

/** Attributes of a page with a note, or without one. */
export function withReaderNote({ readerNote: _former, ...props }: ItemProps, note: ReaderNote | undefined): ItemProps {
  return { ...props, ...(note !== undefined && { readerNote: note }) };
}

export function readerNoteOf({ readerNote }: ItemProps): ReaderNote | undefined {
  return READER_NOTES.find((note) => note === readerNote);
}
