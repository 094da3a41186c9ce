import { addressFault, isWrittenPicture } from '../../kernel/common/safe-address.js';

/** Receives one fault: its path, its message, and whether it is an address that may no longer be stored. */
export type Fault = (path: string, message: string, isUnsafeAddress?: boolean) => void;

/** Checks one value and reports its faults. */
export type Check = (value: unknown, path: string, fault: Fault) => void;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function string(rule: { pattern?: RegExp; max?: number } = {}): Check {
  return (value, path, fault) => {
    if (typeof value !== 'string') fault(path, 'must be a string');
    else if (rule.max !== undefined && value.length > rule.max)
      fault(path, `must not be longer than ${rule.max} characters`);
    else if (rule.pattern !== undefined && !rule.pattern.test(value)) fault(path, `must match ${rule.pattern.source}`);
  };
}

/** An address; that of an image may contain the image itself, as in Markdown. */
export function address({ isPicture = false } = {}): Check {
  return (value, path, fault) => {
    const wrong =
      typeof value === 'string' && !(isPicture && isWrittenPicture(value)) ? addressFault(value) : undefined;
    if (typeof value !== 'string') fault(path, 'must be a string');
    else if (wrong !== undefined) fault(path, wrong, true);
  };
}

export const boolean: Check = (value, path, fault) => {
  if (typeof value !== 'boolean') fault(path, 'must be true or false');
};

export function number(rule: { integer?: true; min?: number; max?: number } = {}): Check {
  return (value, path, fault) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) fault(path, 'must be a number');
    else if (rule.integer === true && !Number.isInteger(value)) fault(path, 'must be an integer');
    else if (rule.min !== undefined && value < rule.min) fault(path, `must not be less than ${rule.min}`);
    else if (rule.max !== undefined && value > rule.max) fault(path, `must not be more than ${rule.max}`);
  };
}

export function oneOf(...values: readonly (string | number)[]): Check {
  return (value, path, fault) => {
    if (!values.includes(value as string)) fault(path, `must be one of ${values.join(', ')}`);
  };
}

export function listOf(check: Check): Check {
  return (value, path, fault) => {
    if (!Array.isArray(value)) fault(path, 'must be a list');
    else value.forEach((item, index) => check(item, `${path}.${index}`, fault));
  };
}

export function map(check: Check): Check {
  return (value, path, fault) => {
    if (!isObject(value)) fault(path, 'must be an object');
    else for (const [key, item] of Object.entries(value)) check(item, `${path}.${key}`, fault);
  };
}

/** Passes if one of the checks reports nothing but an unsafe address; else the message names the expected values. */
export function anyOf(expected: string, ...checks: readonly Check[]): Check {
  return (value, path, fault) => {
    const fits = checks.some((check) => {
      const unsafe: (readonly [string, string])[] = [];
      let faults = 0;
      check(value, path, (at, message, isUnsafeAddress) => (isUnsafeAddress ? unsafe.push([at, message]) : faults++));
      if (faults > 0) return false;
      for (const [at, message] of unsafe) fault(at, message, true);
      return true;
    });
    if (!fits) fault(path, `must be ${expected}`);
  };
}

export interface FieldChecks {
  readonly [name: string]: Check | { readonly optional: Check };
}

export function optional(check: Check): { readonly optional: Check } {
  return { optional: check };
}

/** An object with these fields. Unknown fields are refused in a `closed` one, and allowed otherwise. */
export function fields(shape: FieldChecks, closed = false): Check {
  return (value, path, fault) => {
    if (!isObject(value)) {
      fault(path, 'must be an object');
      return;
    }
    for (const [name, rule] of Object.entries(shape)) {
      const item = value[name];
      if (typeof rule === 'function') {
        if (item === undefined) fault(`${path}.${name}`, 'is missing');
        else rule(item, `${path}.${name}`, fault);
      } else if (item !== undefined) {
        rule.optional(item, `${path}.${name}`, fault);
      }
    }
    if (!closed) return;
    for (const name of Object.keys(value))
      if (!Object.hasOwn(shape, name)) fault(`${path}.${name}`, 'is not a field of this object');
  };
}

export const anything: Check = () => undefined;
