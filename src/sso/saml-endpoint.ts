import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { toDomainError } from '../common/error.filter.js';
import { DomainError } from '../common/errors.js';
import { rawBody } from '../platform/http/raw-body.js';
import { SamlFault } from './domain/saml-fault.js';
import { refusalPage, tokenPage } from './pages.js';
import { SamlLogins, type LoginEnd, type SamlForm } from './saml-logins.service.js';

const PATH = /^\/sso\/saml\/([A-Za-z0-9]{1,40})\/(start|acs|metadata)$/;
/** The message in base64, with whatever else the form says. */
const MAX_FORM_BYTES = 400 * 1024;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Whether the body of a request is the form of an identity provider, which is read here and nowhere else. */
export function takesSamlForm({ method, path }: Pick<Request, 'method' | 'path'>): boolean {
  return method === 'POST' && PATH.exec(path)?.[2] === 'acs';
}

/** What browsers open in a login: pages for people, so whatever goes wrong is said in one as well. */
@Injectable()
export class SamlEndpoint {
  private readonly logger = new Logger('Logins');

  constructor(private readonly logins: SamlLogins) {}

  /** The middleware; it runs behind the limits of requests. */
  handle(request: Request, response: Response, next: NextFunction): void {
    const [, providerId, action] = PATH.exec(request.path) ?? [];
    if (providerId === undefined || action === undefined) return next();
    response.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' });
    this.answer(providerId, action, request, response).catch((error: unknown) => this.refuse(error, response));
  }

  private async answer(providerId: string, action: string, request: Request, response: Response): Promise<void> {
    const method = action === 'acs' ? 'POST' : 'GET';
    if (request.method !== method && !(method === 'GET' && request.method === 'HEAD')) throw new DomainError('methodNotAllowed', `Only ${method} is possible here`, [], { Allow: method });
    if (action === 'metadata') response.type('application/samlmetadata+xml').send(await this.logins.metadata(providerId));
    else if (action === 'start') response.redirect(302, await this.logins.begin(providerId, returnAddress(request)));
    else finish(await this.logins.end(providerId, await formOf(request)), response);
  }

  private refuse(thrown: unknown, response: Response): void {
    const error = thrown instanceof SamlFault ? new DomainError('invalid', thrown.message) : toDomainError(thrown);
    if (!error) this.logger.error(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.status(error?.status ?? 500).set(error?.headers ?? {}).type('html').send(refusalPage(error?.message ?? 'The server failed to answer'));
  }
}

function finish(end: LoginEnd, response: Response): void {
  if ('address' in end) response.redirect(303, end.address);
  else response.type('html').send(tokenPage(end.token));
}

function returnAddress({ query }: Request): string | undefined {
  const { returnTo } = query;
  if (returnTo === undefined || typeof returnTo === 'string') return returnTo;
  throw new DomainError('invalid', 'There must be one address to return to');
}

/** Reads the form, within bounds. */
async function formOf(request: Request): Promise<SamlForm> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '')) throw new SamlFault('The answer of an identity provider must be a form');
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') throw new SamlFault('The answer of an identity provider must not be compressed');
  const tooLarge = (): SamlFault => new SamlFault(`The answer of the identity provider is larger than ${MAX_FORM_BYTES / 1024} KB`);
  if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) {
    request.resume();
    throw tooLarge();
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of rawBody(request) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_FORM_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  const form = new URLSearchParams(Buffer.concat(chunks).toString('latin1'));
  const [response, ...others] = form.getAll('SAMLResponse');
  const [relayState = '', ...more] = form.getAll('RelayState');
  if (response === undefined || response === '' || others.length > 0 || more.length > 0) throw new SamlFault('The form must hold one answer of an identity provider');
  return { response, relayState };
}
