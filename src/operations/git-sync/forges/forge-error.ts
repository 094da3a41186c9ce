import { DomainError } from '../../../kernel/common/errors.js';

/** A forge did not do what it was asked for; the message says what to do, and holds nothing of the answer. */
export class ForgeError extends DomainError {
  constructor(
    message: string,
    /** The status of the answer; undefined where there was none. */
    readonly answered?: number,
  ) {
    super('conflict', message);
  }
}

/** A forge does not let the credentials in; people have to give others, or to change something at the forge. */
export class RefusedCredentials extends ForgeError {}
