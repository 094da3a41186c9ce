import { DomainError } from '../../../kernel/common/errors.js';

/** A branch got other commits between the look at it and the push. */
export class BranchMoved extends DomainError {
  constructor() {
    super('conflict', 'The branch has changed meanwhile');
  }
}
