/** Error codes of the domain and the HTTP status that each is shown with. */
const ERROR_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  preconditionFailed: 412,
  tooLarge: 413,
  unsupportedMediaType: 415,
  unprocessable: 422,
  tooManyRequests: 429,
  unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One fault of the input: `path` names the field as in `changes.3.title`, '' is the whole body. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** The one error class: a code of the table above, a message for the caller, and the fields at fault. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'DomainError';
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** A 400 that names one field. */
export function invalid(path: string, message: string): DomainError {
  return new DomainError('invalid', `${path}: ${message}`, [{ path, message }]);
}

/**
 * The 404 for a thing that is absent, foreign or invisible: one text for all three, so that an
 * answer never tells whether an id exists.
 */
export function notFound(what: string): DomainError {
  return new DomainError('notFound', `${what} not found`);
}

/** Thrown by the guard when a DELETE names a thing that is not there: answered with 204. */
export class AlreadyAbsent extends Error {}
