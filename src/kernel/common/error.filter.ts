import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { EntityNotFoundError } from 'typeorm';
import { sqlState } from './sql-state.js';
import { AlreadyAbsent, DomainError, stackOf, type ErrorDetail } from './errors.js';
import { infrastructureFaultOf } from './infrastructure-fault.js';
import { UnreadableSecret } from './secrets.js';

/**
 * Errors of PostgreSQL that a request can cause, as errors of the API; every other error is a fault of the
 * infrastructure or of the service.
 */
const SQLSTATES: Readonly<Record<string, DomainError>> = {
  '22021': new DomainError('invalid', 'Text may not contain NUL characters'),
  '22P05': new DomainError('invalid', 'Text may not contain NUL characters'),
  '23503': new DomainError('conflict', 'A referenced object no longer exists, or is still in use'),
  '23505': new DomainError('conflict', 'An object with this name already exists'),
};

export interface ErrorBody {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly details?: readonly ErrorDetail[];
    readonly [fact: string]: unknown;
  };
}

/** Formats an error in the error shape that all paths share. */
export function errorBody(error: DomainError): ErrorBody {
  return {
    error: {
      ...error.facts,
      code: error.status,
      message: error.message,
      ...(error.details.length > 0 && { details: error.details }),
    },
  };
}

/** Responds to every thrown value in the common error shape; no SQL and no stack trace leaves the server. */
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
    const error = toDomainError(thrown);
    if (error === undefined) {
      this.logger.error(stackOf(thrown));
      response
        .set('Cache-Control', 'no-store')
        .status(500)
        .json({
          error: { code: 500, message: 'The server failed to answer; the log has the details under this request id' },
        });
      return;
    }
    if (error.status === 503 && error !== thrown) this.logger.warn(`${error.message}: ${String(thrown)}`);
    response
      .set({ 'Cache-Control': 'no-store', ...error.headers })
      .status(error.status)
      .json(errorBody(error));
  }
}

/** The API error for a thrown value, or undefined if it is a fault of the server. */
export function toDomainError(thrown: unknown): DomainError | undefined {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof EntityNotFoundError)
    return new DomainError(
      'notFound',
      `${String(thrown.entityClass instanceof Function ? thrown.entityClass.name : 'Object')} not found`,
    );
  if (thrown instanceof HttpException) return fromHttp(thrown);
  if (thrown instanceof UnreadableSecret)
    return new DomainError('unavailable', 'This server lacks a key that another one uses', [], { 'Retry-After': '60' });
  const state = sqlState(thrown);
  if (state !== undefined && SQLSTATES[state]) return SQLSTATES[state];
  return infrastructureFaultOf(thrown);
}

function fromHttp(exception: HttpException): DomainError | undefined {
  const status = exception.getStatus();
  if (status === 403) return new DomainError('forbidden', exception.message);
  if (status === 404) return new DomainError('notFound', 'No such path');
  if (status === 413) return new DomainError('tooLarge', 'The body is too large');
  if (status === 415) return new DomainError('unsupportedMediaType', 'The body must be application/json');
  if (status >= 400 && status < 500) return new DomainError('invalid', exception.message);
  return undefined;
}
