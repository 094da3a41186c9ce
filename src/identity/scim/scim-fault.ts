import { DomainError } from '../../kernel/common/errors.js';

/** A 400 error with a keyword of RFC 7644, section 3.12, and the path of a field. */
export class ScimFault extends DomainError {
  constructor(
    readonly scimType: string,
    path: string,
    message: string,
  ) {
    super('invalid', `${path}: ${message}`, [{ path, message }]);
  }
}
