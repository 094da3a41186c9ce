import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { EntityNotFoundError } from 'typeorm';
import { sqlState } from './database.js';
import { AlreadyAbsent, DomainError, stackOf, type ErrorDetail } from './errors.js';
import { UnreadableSecret } from './secrets.js';

const NO_ROOM = new DomainError('unavailable', 'There is no room left to store this', [], { 'Retry-After': '60' });

/** What PostgreSQL refuses, in the words of the API; anything not named here is a fault of ours. */
const SQLSTATES: Readonly<Record<string, DomainError>> = {
  '22021': new DomainError('invalid', 'Text may not contain NUL characters'),
  '22P05': new DomainError('invalid', 'Text may not contain NUL characters'),
  '23503': new DomainError('conflict', 'Something that this refers to has gone, or is still in use'),
  '23505': new DomainError('conflict', 'Something with this name exists already'),
  '40001': new DomainError('unavailable', 'Too many changes at once, please try again', [], { 'Retry-After': '1' }),
  '40P01': new DomainError('unavailable', 'Too many changes at once, please try again', [], { 'Retry-After': '1' }),
  '25006': new DomainError('unavailable', 'The database takes no changes at the moment', [], { 'Retry-After': '30' }),
  '53100': NO_ROOM,
  '53200': new DomainError('unavailable', 'The database has no memory left', [], { 'Retry-After': '5' }),
  '53300': new DomainError('unavailable', 'The database takes no more connections', [], { 'Retry-After': '5' }),
  '57014': new DomainError('unavailable', 'The database took too long', [], { 'Retry-After': '5' }),
  '57P01': new DomainError('unavailable', 'The database is restarting', [], { 'Retry-After': '5' }),
  '57P02': new DomainError('unavailable', 'The database is restarting', [], { 'Retry-After': '5' }),
  '57P03': new DomainError('unavailable', 'The database is starting', [], { 'Retry-After': '5' }),
};
const FULL_DISK = new Set(['ENOSPC', 'EDQUOT']);
const CONNECTION_FAULTS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT']);

export interface ErrorBody {
  readonly error: { readonly code: number; readonly message: string; readonly details?: readonly ErrorDetail[] };
}

/** The one error shape of every path. */
export function errorBody(error: DomainError): ErrorBody {
  return { error: { code: error.status, message: error.message, ...(error.details.length > 0 && { details: error.details }) } };
}

/** Answers any thrown thing in the one error shape; nothing of SQL or stacks leaves the server. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) {
      response.destroy(thrown instanceof Error ? thrown : undefined);
      return;
    }
    if (thrown instanceof AlreadyAbsent) {
      response.status(204).end();
      return;
    }
    if (thrown instanceof UnreadableSecret) this.logger.warn(thrown.message);
    const error = toDomainError(thrown);
    if (error === undefined) {
      this.logger.error(stackOf(thrown));
      response.set('Cache-Control', 'no-store').status(500).json({ error: { code: 500, message: 'The server failed to answer; the log has the details under this request id' } });
      return;
    }
    response.set({ 'Cache-Control': 'no-store', ...error.headers }).status(error.status).json(errorBody(error));
  }
}

/** The error that the API shows for a thrown thing, or undefined when it is a fault of the server. */
export function toDomainError(thrown: unknown): DomainError | undefined {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof EntityNotFoundError) return new DomainError('notFound', `${String(thrown.entityClass instanceof Function ? thrown.entityClass.name : 'Object')} not found`);
  if (thrown instanceof HttpException) return fromHttp(thrown);
  if (thrown instanceof UnreadableSecret) return new DomainError('unavailable', 'This server lacks a key that another one uses', [], { 'Retry-After': '60' });
  const state = sqlState(thrown);
  if (state !== undefined && SQLSTATES[state]) return SQLSTATES[state];
  if (FULL_DISK.has(String((thrown as { code?: unknown } | null)?.code))) return NO_ROOM;
  if (isConnectionFault(thrown)) return new DomainError('unavailable', 'The database cannot be reached', [], { 'Retry-After': '5' });
  return undefined;
}

function fromHttp(exception: HttpException): DomainError | undefined {
  const status = exception.getStatus();
  if (status === 404) return new DomainError('notFound', 'No such path');
  if (status === 413) return new DomainError('tooLarge', 'The body is too large');
  if (status === 415) return new DomainError('unsupportedMediaType', 'The body must be application/json');
  if (status >= 400 && status < 500) return new DomainError('invalid', exception.message);
  return undefined;
}

function isConnectionFault(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false;
  const { code, driverError, message } = thrown as { code?: unknown; driverError?: unknown; message?: unknown };
  if (typeof code === 'string' && CONNECTION_FAULTS.has(code)) return true;
  if (typeof message === 'string' && /Connection terminated|timeout exceeded when trying to connect/i.test(message)) return true;
  return driverError !== undefined && isConnectionFault(driverError);
}
