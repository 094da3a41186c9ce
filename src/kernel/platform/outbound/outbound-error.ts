import { ExternalServiceFault } from '../../common/infrastructure-fault.js';

/** Why a request on behalf of a caller got no answer. */
export type OutboundProblem = 'refused' | 'timeout' | 'tooLarge' | 'failed';

/** The message may be shown to the caller: it holds nothing of the answer and no address that was resolved. */
export class OutboundError extends ExternalServiceFault {
  constructor(
    readonly problem: OutboundProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OutboundError';
  }
}

/** Whatever went wrong while an answer was read, in words that tell nothing of it. */
export function asOutboundError(error: unknown): OutboundError {
  return error instanceof OutboundError
    ? error
    : new OutboundError('failed', 'the address could not be read', { cause: error });
}
