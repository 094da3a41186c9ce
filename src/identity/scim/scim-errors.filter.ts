import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import SCIMMY from 'scimmy';
import { errorBody, toDomainError } from '../../kernel/common/error.filter.js';
import { type DomainError, stackOf } from '../../kernel/common/errors.js';
import { ScimFault } from './scim-fault.js';

/**
 * Answers a thrown value in the shape of RFC 7644, section 3.12, with the common shape of the API beside it in `error`.
 */
@Catch()
export class ScimErrorsFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return void response.destroy();
    const error = domainErrorOf(thrown);
    if (!error) this.logger.error(stackOf(thrown));
    const status = error?.status ?? 500;
    const detail = error?.message ?? 'The server failed to answer; the log has the details under this request id';
    response
      .set({ 'Cache-Control': 'no-store', ...error?.headers })
      .status(status)
      .type('application/scim+json')
      .json({
        schemas: [SCIMMY.Messages.ErrorResponse.id],
        status: String(status),
        detail,
        ...(error && scimTypeOf(error)),
        ...(error ? errorBody(error) : { error: { code: status, message: detail } }),
      });
  }
}

/** The library throws faults of operations and attributes. */
function domainErrorOf(thrown: unknown): DomainError | undefined {
  if (!(thrown instanceof SCIMMY.Types.Error)) return toDomainError(thrown);
  const { message, scimType } = thrown as Error & { scimType?: string };
  return new ScimFault(scimType ?? 'invalidValue', 'Operations', message);
}

function scimTypeOf(error: DomainError): { scimType?: string } {
  if (error instanceof ScimFault) return { scimType: error.scimType };
  if (error.code === 'conflict') return { scimType: 'uniqueness' };
  if (error.code !== 'invalid') return {};
  return { scimType: error.details[0]?.path === 'filter' ? 'invalidFilter' : 'invalidValue' };
}
