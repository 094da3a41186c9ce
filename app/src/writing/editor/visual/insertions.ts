import type { Block } from '../../../texts/blocks.js';

/** The ways in which a block of the menu comes into the text. */
export type InsertionKind = 'text' | 'files' | 'card' | 'reusable';

/** Beginnings of templates whose blocks need more than words: files, or something that they refer to. */
const NEEDS: readonly (readonly [beginning: string, kind: InsertionKind])[] = [
  ['![', 'files'],
  ['<figure', 'files'],
  ['{% file', 'files'],
  ['{% content-ref', 'card'],
  ['{% include', 'reusable'],
];

export function kindOf({ template }: Block): InsertionKind {
  return NEEDS.find(([beginning]) => template.startsWith(beginning))?.[1] ?? 'text';
}

/** The template of a block with the words that stand in its places. */
export function placeholders({ template }: Block): string {
  return template.replace(/\$\{(?:\d+:)?([^}]*)\}/g, '$1');
}

/** Lets somebody choose files of the machine. */
export function chooseFiles(take: (files: readonly File[]) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => take([...(input.files ?? [])]));
  input.click();
}
