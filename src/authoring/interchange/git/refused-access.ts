import { DomainError } from '../../../kernel/common/errors.js';

/** The server of a repository does not accept the credentials, or asks for some. */
export class RefusedAccess extends DomainError {
  constructor() {
    const message = 'the server of the repository answered 401: the credentials are missing, or not accepted';
    super('invalid', `url: ${message}`, [{ path: 'url', message }]);
  }
}
