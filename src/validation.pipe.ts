import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { DomainError, type ErrorDetail } from './common/errors.js';

/** How messages about the elements of a list begin. */
const EACH = 'each value ';

/** Checks bodies and queries against their classes; unknown fields are ignored, every fault is named with its path. */
export function validationPipe(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: true },
    exceptionFactory: (errors) => {
      const details = faultsOf(errors, '');
      return new DomainError('invalid', details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '), details);
    },
  });
}

function faultsOf(errors: readonly ValidationError[], parent: string): ErrorDetail[] {
  return errors.flatMap((error) => {
    const path = parent === '' ? error.property : `${parent}.${error.property}`;
    const own = Object.entries(error.constraints ?? {}).map(([constraint, message]) => {
      const index = message.startsWith(EACH) ? indexOfFault(error, constraint) : -1;
      if (index >= 0) return { path: `${path}.${index}`, message: withoutName(message, error.property).slice(EACH.length) };
      return { path, message: error.value === undefined ? 'is required' : withoutName(message, error.property) };
    });
    return [...own, ...faultsOf(error.children ?? [], path)];
  });
}

/** The first element of a list that breaks a constraint, which the validator does not tell: each is looked at alone. */
function indexOfFault({ target, property, value }: ValidationError, constraint: string): number {
  if (!Array.isArray(value) || target === undefined) return -1;
  const alone = Object.create(Object.getPrototypeOf(target) as object) as Record<string, unknown>;
  return value.findIndex((element) => {
    alone[property] = [element];
    return validateSync(alone).some((fault) => fault.property === property && fault.constraints?.[constraint] !== undefined);
  });
}

function withoutName(message: string, name: string): string {
  return message.startsWith(`${name} `) ? message.slice(name.length + 1) : message.replace(`in ${name} `, '');
}
