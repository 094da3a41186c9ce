import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Access } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { errorBody, toDomainError } from '../../kernel/common/error.filter.js';
import { DomainError, stackOf } from '../../kernel/common/errors.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { FairQueue } from '../../kernel/platform/http/fair-queue.middleware.js';
import { RequestBodies } from '../../kernel/platform/http/json-body.js';
import { RESOURCE_METADATA_PATH, resourceAddress, WORKSPACE_MCP_PATH } from '../../identity/oauth/oauth-metadata.js';
import { WorkspaceMcp } from './workspace-mcp.js';

/** Maximum length of a message, in bytes: one page with its text. */
const MAX_MESSAGE = 2 * 1024 * 1024;
const MESSAGE_HEADERS = ['accept', 'content-type', 'mcp-protocol-version'];

/** Answers agents that speak the Model Context Protocol (Streamable HTTP) with a token of the API. */
@Injectable()
export class AgentsEndpoint {
  private readonly logger = new Logger('Agents');

  constructor(
    private readonly server: WorkspaceMcp,
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly addresses: Addresses,
    private readonly bodies: RequestBodies,
    private readonly queue: FairQueue,
  ) {}

  /** The middleware; it runs after the rate limits. */
  handle(request: Request, response: Response, next: NextFunction): void {
    if (request.path !== WORKSPACE_MCP_PATH) return next();
    response.set('Cache-Control', 'no-store');
    this.answer(request, response).catch((error: unknown) => this.refuse(error, response));
  }

  private async answer(request: Request, response: Response): Promise<void> {
    // There are no sessions, so that there is nothing to listen to and nothing to end.
    if (request.method !== 'POST')
      throw new DomainError('methodNotAllowed', 'Only POST is possible here', [], { Allow: 'POST' });
    const authorization = request.get('authorization') ?? '';
    await this.authenticate(authorization);
    const body = await this.bodies.bytes(
      request,
      MAX_MESSAGE,
      () => new DomainError('tooLarge', `A message has at most ${MAX_MESSAGE} bytes`),
    );
    // The operations that a tool calls take turns of their own.
    this.queue.leave();
    const headers = MESSAGE_HEADERS.flatMap((name) => {
      const value = request.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const answer = await this.server.answer(resourceAddress(this.addresses), authorization, {
      body: body.toString(),
      headers: Object.fromEntries(headers),
    });
    response.status(answer.status).set(answer.headers).end(answer.body);
  }

  /** Throws `unauthenticated` without a valid token: clients then know that they need another one. */
  private async authenticate(authorization: string): Promise<void> {
    const [, secret] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
    const token = secret === undefined ? undefined : await this.access.token(hashSecret(secret));
    if (!token || (token.expiresAt && token.expiresAt <= this.clock.now()))
      throw new DomainError('unauthenticated', 'A valid API token is required: Authorization: Bearer <API_TOKEN>', [], {
        'WWW-Authenticate': `Bearer realm="bindery"${secret === undefined ? '' : ', error="invalid_token"'}, resource_metadata="${this.addresses.api}${RESOURCE_METADATA_PATH}"`,
      });
  }

  private refuse(thrown: unknown, response: Response): void {
    const error = toDomainError(thrown);
    if (!error) this.logger.error(stackOf(thrown));
    if (response.headersSent) return void response.destroy();
    const shown = error ?? new DomainError('unavailable', 'The message could not be answered');
    response.set(shown.headers).status(shown.status).json(errorBody(shown));
  }
}
