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

/** Whoever sends more faults than this is not served by a list of them all. */
const FAULTS_NAMED = 100;
/** Names of fields may be the caller's own. */
const PATH_SHOWN = 500;

/** A 400 that names one field. */
export function invalid(path: string, message: string): DomainError {
  return invalidFields([{ path, message }]);
}

/** A 400 that names the fields at fault, the first 100 of them; '' is the whole body. */
export function invalidFields(faults: readonly ErrorDetail[]): DomainError {
  const details = faults
    .slice(0, FAULTS_NAMED)
    .map(({ path, message }) => ({ path: path.length > PATH_SHOWN ? `${path.slice(0, PATH_SHOWN)}…` : path, message }));
  const said = details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  if (faults.length > details.length) said.push(`and ${faults.length - details.length} more`);
  return new DomainError('invalid', said.join('; '), details);
}

/**
 * The 404 for a thing that is absent, foreign or invisible: one text for all three, so that an
 * answer never tells whether an id exists.
 */
export function notFound(what: string): DomainError {
  return new DomainError('notFound', `${what} not found`);
}

/** What the log says of something that was thrown: its stack, where it has one. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** Thrown by the guard when a DELETE names a thing that is not there: answered with 204. */
export class AlreadyAbsent extends Error {}
