import { OperatorError } from '../../kernel/platform/operator-error.js';

/** An object of a target is missing, or its bytes are not those that were written. */
export class DamagedBackup extends OperatorError {
  constructor(
    readonly object: string,
    options?: ErrorOptions & { readonly isMissing?: boolean },
  ) {
    super(
      options?.isMissing === true
        ? `The backup is damaged: its object ${object} is missing`
        : `The backup is damaged: its object ${object} was cut or changed`,
      options,
    );
  }
}
