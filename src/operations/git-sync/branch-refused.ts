import { DomainError } from '../../kernel/common/errors.js';

/** Somebody has asked for what is not possible; a space and its branch are as equal as before. */
export class BranchRefused extends DomainError {
  constructor(message: string) {
    super('conflict', message);
  }
}
