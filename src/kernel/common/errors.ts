/** Error codes of the domain and the HTTP status of each. */
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

/** One fault of the input: `path` names the field as in `changes.3.title`; '' is the whole body. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** The only error class: a code of the table above, a message for the caller, and the fields at fault. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
    /** Further properties of the error that a caller can act on. */
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'DomainError';
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** At most so many faults are listed in one response. */
const FAULTS_NAMED = 100;
/** The longest path shown; field names may come from the caller. */
const PATH_SHOWN = 500;

/** A 400 error that names one field. */
export function invalid(path: string, message: string): DomainError {
  return invalidFields([{ path, message }]);
}

/** A 400 error that names the fields at fault, at most the first 100 of them; '' is the whole body. */
export function invalidFields(faults: readonly ErrorDetail[]): DomainError {
  const details = faults
    .slice(0, FAULTS_NAMED)
    .map(({ path, message }) => ({ path: path.length > PATH_SHOWN ? `${path.slice(0, PATH_SHOWN)}…` : path, message }));
  const said = details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  if (faults.length > details.length) said.push(`and ${faults.length - details.length} more`);
  return new DomainError('invalid', said.join('; '), details);
}

/**
 * The 404 error for a resource that is absent, foreign or invisible: one text for all three, so that a response never
 * reveals whether an id exists.
 */
export function notFound(what: string): DomainError {
  return new DomainError('notFound', `${what} not found`);
}

/** The text that the log shows for a thrown value: its stack, if it has one. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** Thrown by the guard when a DELETE names a resource that does not exist; the response is 204. */
export class AlreadyAbsent extends Error {}
