import { storable } from '../../document/characters.js';
import type { SpecificationProblem } from './specification-problem.js';
import type { SpecificationWarning } from './tolerance.js';

/** A problem as stored and shown: its place, then its reason. */
export interface PresentedProblem {
  readonly code: string;
  readonly message: string;
  readonly pointer?: string;
  readonly line?: number;
  /** The address of the other document that contains it. */
  readonly document?: string;
}

/** A fault that did not stop reading. */
export interface PresentedWarning extends PresentedProblem {
  /** The value that is shown in the place of the fault. */
  readonly instead: string;
}

export function presentWarning(warning: SpecificationWarning): PresentedWarning {
  return { ...presentProblem(warning), instead: warning.instead.slice(0, 1000) };
}

export function presentProblem({ code, message, pointer, line, document }: SpecificationProblem): PresentedProblem {
  const place = pointer === undefined ? '' : pointer !== '' || document !== undefined ? pointer : 'the specification';
  const where = [place, line === undefined ? '' : `line ${line}`].filter((part) => part !== '');
  const at = where.length === 2 ? `${where[0]} (${where[1]})` : (where[0] ?? '');
  const text = [
    document === undefined ? '' : `${document}: `,
    at === '' ? '' : `${at}${pointer === undefined ? ': ' : ' '}`,
    message,
  ].join('');
  return {
    code,
    message: storable(text.slice(0, 1000)),
    ...(pointer !== undefined && { pointer: storable(pointer.slice(0, 1000)) }),
    ...(line !== undefined && { line }),
    ...(document !== undefined && { document: storable(document.slice(0, 2048)) }),
  };
}
