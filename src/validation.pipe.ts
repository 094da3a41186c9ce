import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { DomainError, type ErrorDetail } from './common/errors.js';

/** Checks bodies and queries against their classes; unknown fields are ignored, every fault is named with its path. */
export function validationPipe(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => {
      const details = faultsOf(errors, '');
      return new DomainError('invalid', details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '), details);
    },
  });
}

function faultsOf(errors: readonly ValidationError[], parent: string): ErrorDetail[] {
  return errors.flatMap((error) => {
    const path = parent === '' ? error.property : `${parent}.${error.property}`;
    const messages = Object.values(error.constraints ?? {});
    const own = messages.map((message) => ({ path, message: error.value === undefined ? 'is required' : withoutName(message, error.property) }));
    return [...own, ...faultsOf(error.children ?? [], path)];
  });
}

function withoutName(message: string, name: string): string {
  return message.startsWith(`${name} `) ? message.slice(name.length + 1) : message.replace(`in ${name} `, '');
}
