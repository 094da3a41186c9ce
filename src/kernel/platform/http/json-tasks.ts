import { DomainError, type ErrorDetail } from '../../common/errors.js';
import { workerTask } from '../workers/worker-task.js';
import { faultOf, nameFaultOf, sizeFaultOf } from './json-checks.js';

/** Parses a JSON body, undefined for an empty one. Throws `invalid` for values that the service does not accept. */
export function parsed(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  const tooMuch = sizeFaultOf(bytes);
  if (tooMuch !== undefined) throw new DomainError('invalid', tooMuch);
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new DomainError('invalid', 'The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null)
    throw new DomainError('invalid', 'The body must be a JSON object or array');
  const fault = nameFaultOf(text) ?? faultOf(value);
  if (fault) throw fault;
  return value;
}

/** The reason why a JSON body is refused, as data that can be sent between threads. */
export function faultOfBody(
  bytes: Uint8Array,
): { readonly message: string; readonly details: readonly ErrorDetail[] } | undefined {
  try {
    parsed(bytes);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { message: error.message, details: error.details };
  }
}

export const FAULT_OF_BODY = workerTask(import.meta.url, faultOfBody, { size: (bytes) => bytes.length });
