import { QueryRunnerAlreadyReleasedError } from 'typeorm';
import { DomainError } from './errors.js';

/** The maximum number of causes of an error that are examined. */
const DEPTH = 8;

/**
 * An error about an external service, such as an address that a caller gave: its causes are no fault of the
 * infrastructure.
 */
export abstract class ExternalServiceFault extends Error {}

const unavailable = (message: string, retryAfter: number): DomainError =>
  new DomainError('unavailable', message, [], { 'Retry-After': String(retryAfter) });

/** The refusal of whatever needs the database while it cannot be reached. */
export const DATABASE_AWAY = unavailable('The database cannot be reached', 5);
const DATABASE_RESTARTS = unavailable('The database is restarting', 5);
const DATABASE_CLOSED = unavailable('The database refuses connections of this server', 30);
const DATABASE_DISK = unavailable('The database cannot use its disk', 30);
const CONTENDED = unavailable('Too many changes at once, please try again', 1);
const NO_ROOM = unavailable('There is no storage space left', 60);
const NO_HANDLES = unavailable('The server has too many files open', 5);
const STORAGE_READ_ONLY = unavailable('The file storage accepts no writes at the moment', 30);
const STORAGE_AWAY = unavailable('The file storage cannot be used', 30);

/**
 * States in which PostgreSQL refuses work temporarily: five characters for one state, two for the rest of its class.
 */
const SQLSTATES: ReadonlyMap<string, DomainError> = new Map([
  ['08', DATABASE_AWAY],
  ['25006', unavailable('The database accepts no changes at the moment', 30)],
  ['25P03', DATABASE_AWAY],
  ['28', DATABASE_CLOSED],
  ['3D000', DATABASE_CLOSED],
  ['40001', CONTENDED],
  ['40P01', CONTENDED],
  ['53', unavailable('The database is overloaded', 5)],
  ['53100', NO_ROOM],
  ['53200', unavailable('The database has no memory left', 5)],
  ['53300', unavailable('The database accepts no more connections', 5)],
  ['55P03', CONTENDED],
  ['57', DATABASE_RESTARTS],
  ['57014', unavailable('The database took too long', 5)],
  ['57P03', unavailable('The database is starting', 5)],
  ['57P05', DATABASE_AWAY],
  ['58000', DATABASE_DISK],
  ['58030', DATABASE_DISK],
]);

/**
 * Codes of Node.js for connections. Only those to the database and to the file storage get here without an
 * `ExternalServiceFault` around them.
 */
const CONNECTION_CODES = new Set([
  ...['ECONNABORTED', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EADDRNOTAVAIL'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENETDOWN', 'ENETRESET', 'ENETUNREACH'],
]);

/** Codes of Node.js for files. A missing file (ENOENT) is not among them: the disk has responded. */
const FILE_CODES: ReadonlyMap<string, DomainError> = new Map([
  ['ENOSPC', NO_ROOM],
  ['EDQUOT', NO_ROOM],
  ['EMFILE', NO_HANDLES],
  ['ENFILE', NO_HANDLES],
  ['EROFS', STORAGE_READ_ONLY],
  ['EACCES', STORAGE_READ_ONLY],
  ['EPERM', STORAGE_READ_ONLY],
  ['EIO', STORAGE_AWAY],
  ['ENODEV', STORAGE_AWAY],
  ['ENXIO', STORAGE_AWAY],
  ['ENOTCONN', STORAGE_AWAY],
  ['ESTALE', STORAGE_AWAY],
]);

/** Messages of pg and its pool that have no code. */
const CONNECTION_MESSAGES =
  /^Connection terminated|^timeout exceeded when trying to connect$|^timeout expired$|is not queryable$|^Query read timeout$|^Cannot use a pool after calling end on the pool$|^The server does not support SSL connections$/;

interface Facts {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly syscall?: unknown;
  readonly cause?: unknown;
  /** Set on `AggregateError`, such as for a host whose addresses were all tried. */
  readonly errors?: unknown;
  /** The error that TypeORM wraps. */
  readonly driverError?: unknown;
  /** Set on all errors that the S3 client throws once it has sent a request. */
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * The 503 error, with `Retry-After`, for work that failed because the database, the disk or the file storage is
 * unavailable, full, read-only or overloaded; undefined if the work itself is at fault. Examines the causes of errors
 * (`cause`, `AggregateError`, TypeORM), but not those of an `ExternalServiceFault`.
 */
export function infrastructureFaultOf(thrown: unknown, depth = DEPTH): DomainError | undefined {
  if (
    typeof thrown !== 'object' ||
    thrown === null ||
    thrown instanceof DomainError ||
    thrown instanceof ExternalServiceFault ||
    depth === 0
  )
    return undefined;
  const facts: Facts = thrown;
  const own = facts.$metadata === undefined ? ofDatabaseOrDisk(facts, thrown) : ofObjectStorage(facts, facts.$metadata);
  if (own) return own;
  const behind = [facts.driverError, facts.cause, ...(Array.isArray(facts.errors) ? (facts.errors as unknown[]) : [])];
  for (const each of behind) {
    const found = infrastructureFaultOf(each, depth - 1);
    if (found) return found;
  }
  return undefined;
}

function ofDatabaseOrDisk({ name, code, message, syscall }: Facts, thrown: object): DomainError | undefined {
  if (typeof code === 'string') {
    const refused =
      FILE_CODES.get(code) ??
      (/^[0-9A-Z]{5}$/.test(code) ? (SQLSTATES.get(code) ?? SQLSTATES.get(code.slice(0, 2))) : undefined);
    if (refused) return refused;
    // The socket of a database on this machine is a file that is absent while the database is down.
    if (CONNECTION_CODES.has(code) || (code === 'ENOENT' && syscall === 'connect')) return DATABASE_AWAY;
  }
  if (name === 'CredentialsProviderError') return STORAGE_AWAY;
  if (thrown instanceof QueryRunnerAlreadyReleasedError) return DATABASE_AWAY;
  return typeof message === 'string' && CONNECTION_MESSAGES.test(message) ? DATABASE_AWAY : undefined;
}

/**
 * Without a status there was no response. Refused requests are caused by keys, clocks or buckets: all our requests have
 * the same form.
 */
function ofObjectStorage(
  { name }: Facts,
  { httpStatusCode: status }: { readonly httpStatusCode?: number },
): DomainError | undefined {
  const isAway =
    status === undefined ||
    status >= 500 ||
    [401, 403, 408, 429].includes(status) ||
    name === 'NoSuchBucket' ||
    name === 'RequestTimeout';
  return isAway ? STORAGE_AWAY : undefined;
}
