import { ExternalServiceFault } from '../../common/infrastructure-fault.js';

/** The reason why a request on behalf of a caller got no response. */
export type OutboundProblem = 'refused' | 'timeout' | 'tooLarge' | 'failed';

/** The message may be shown to the caller: it contains nothing of the response and no resolved address. */
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

/** Converts an error while reading a response, with a message that reveals nothing of it. */
export function asOutboundError(error: unknown): OutboundError {
  return error instanceof OutboundError
    ? error
    : new OutboundError('failed', 'the address could not be read', { cause: error });
}
