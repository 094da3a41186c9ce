import type { Request } from 'express';
import { OPEN_BODY_LIMIT, type RequestBodies } from '../../kernel/platform/http/json-body.js';
import { LoginFault } from './domain/login-fault.js';

/** The fields of the form that the browser posts on behalf of an identity provider. */
export interface SamlForm {
  readonly response: string;
  readonly relayState: string;
}

/** Reads the form, within limits. Throws `LoginFault`. */
export async function readSamlForm(request: Request, bodies: RequestBodies): Promise<SamlForm> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new LoginFault('The answer of an identity provider must be a form');
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new LoginFault('The answer of an identity provider must not be compressed');
  const tooLarge = (): LoginFault =>
    new LoginFault(`The answer of the identity provider is larger than ${OPEN_BODY_LIMIT / 1024} KB`);
  const bytes = await bodies.bytes(request, OPEN_BODY_LIMIT, tooLarge);
  const form = new URLSearchParams(bytes.toString('latin1'));
  const [response, ...others] = form.getAll('SAMLResponse');
  const [relayState = '', ...more] = form.getAll('RelayState');
  if (response === undefined || response === '' || others.length > 0 || more.length > 0)
    throw new LoginFault('The form must hold one answer of an identity provider');
  return { response, relayState };
}
