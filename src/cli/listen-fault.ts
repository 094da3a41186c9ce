import type { Config } from '../kernel/platform/config/config.js';
import { OperatorError, codeOf } from '../kernel/platform/operator-error.js';

/** The fault of a listener of the API in words for the operator; the error itself where it says enough. */
export function listenFault(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const faults: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use: stop the other program, or choose another port with PORT`,
    EACCES: `Port ${port} needs more permissions than this user has: choose one above 1023 with PORT`,
    EADDRNOTAVAIL: `This machine has no address ${host}: check HOST`,
    ENOTFOUND: `The name ${host} has no address: check HOST`,
  };
  const message = faults[codeOf(error) ?? ''];
  return message === undefined ? error : new OperatorError(message, { cause: error });
}
