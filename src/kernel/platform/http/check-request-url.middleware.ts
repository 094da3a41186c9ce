import type { NextFunction, Request, Response } from 'express';
import { DomainError } from '../../common/errors.js';

const MAX_ADDRESS_LENGTH = 8192;

/** Refuses URLs that are too long, are not valid percent-encoded UTF-8, or contain NUL characters. */
export function checkRequestUrl(request: Request, _response: Response, next: NextFunction): void {
  next(faultOfAddress(request.originalUrl));
}

function faultOfAddress(address: string): DomainError | undefined {
  if (address.length > MAX_ADDRESS_LENGTH)
    return new DomainError('invalid', `The address is longer than ${MAX_ADDRESS_LENGTH} characters`);
  try {
    if (decodeURIComponent(address).includes('\0'))
      return new DomainError('invalid', 'The address may not contain NUL characters');
  } catch {
    return new DomainError('invalid', 'The address is not valid percent-encoded UTF-8');
  }
  return undefined;
}
