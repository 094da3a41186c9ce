import type { Item, ItemKey, ItemProps } from './content-item.js';

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

/** Items of a space that is no translation: former revisions and change requests may bring notes of when it was one. */
export function withoutReaderNotes(items: ReadonlyMap<ItemKey, Item | null>): ReadonlyMap<ItemKey, Item | null> {
  const isNoted = (item: Item | null): item is Item => item !== null && item.props['readerNote'] !== undefined;
  if (![...items.values()].some(isNoted)) return items;
  return new Map(
    [...items].map(([key, item]) => [
      key,
      isNoted(item) ? { ...item, props: withReaderNote(item.props, undefined) } : item,
    ]),
  );
}
