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

/** The codes of faults of a certificate: those of OpenSSL, and the one of Node.js for a name. */
const CERTIFICATE_FAULT =
  /^(CERT_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)_|ERR_TLS_CERT_ALTNAME_INVALID$)/;

/** Converts an error while reading a response, with a message that reveals nothing of it. */
export function asOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const isCertificate =
    error instanceof Error && 'code' in error && typeof error.code === 'string' && CERTIFICATE_FAULT.test(error.code);
  const message = isCertificate ? 'the certificate of the server is not trusted' : 'the address could not be read';
  return new OutboundError('failed', message, { cause: error });
}
