/** A fault of a specification. */
export interface SpecificationProblem {
  /** Its kind, such as `missing-property`. */
  readonly code: string;
  /** The reason, in words that follow the place. */
  readonly message: string;
  /** The JSON pointer of the place, if there is one; '' is the whole specification. */
  readonly pointer?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** The address of the document, if it is not the specification itself. */
  readonly document?: string;
  /** The types that the value should have, where it has another one. */
  readonly wanted?: readonly string[];
}

/** Thrown if the specification cannot be read further. */
export class Unreadable extends Error {
  constructor(
    readonly problems: readonly SpecificationProblem[],
    /** The number of all problems, where these are only the first. */
    readonly total = problems.length,
  ) {
    super(problems[0]?.message ?? 'the specification cannot be read');
  }
}

export function unreadable(
  code: string,
  message: string,
  where: Pick<SpecificationProblem, 'pointer' | 'line' | 'document'> = {},
): Unreadable {
  return new Unreadable([{ code, message, ...where }]);
}

/** The JSON pointer of names and indexes (RFC 6901). */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The names of a JSON pointer. */
export function pointerPath(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
