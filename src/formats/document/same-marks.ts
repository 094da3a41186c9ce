import type { Mark } from './types.js';

export function sameMark(a: Mark, b: Mark): boolean {
  if (a.type !== b.type) return false;
  return (
    a.type !== 'color' || b.type !== 'color' || (a.data.text === b.data.text && a.data.background === b.data.background)
  );
}

export function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a.length === b.length && a.every((mark) => b.some((other) => sameMark(mark, other)));
}
