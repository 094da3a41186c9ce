import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { h } from 'hastscript';
import { toDomainError } from '../../kernel/common/error.filter.js';
import { DomainError, stackOf } from '../../kernel/common/errors.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { standalonePage, standalonePagePolicy } from '../../kernel/platform/http/standalone-page.js';
import { NotificationChoices } from './notification-settings.service.js';
import { unsubscribedUser } from './unsubscribe-token.js';

const PATH = /^\/notifications\/unsubscribe\/([A-Za-z0-9._-]{1,200})$/;
const METHODS = 'GET, HEAD, POST';

/**
 * The address in letters at which their readers end them, without a login: by the one request that mail programs send
 * (RFC 8058), or on a page with a button, since programs open the addresses in letters by themselves.
 */
@Injectable()
export class UnsubscribeEndpoint {
  private readonly logger = new Logger('Notifications');

  constructor(
    private readonly secrets: Secrets,
    private readonly choices: NotificationChoices,
  ) {}

  /** The middleware; it runs after the rate limits. */
  handle(request: Request, response: Response, next: NextFunction): void {
    const token = PATH.exec(request.path)?.[1];
    if (token === undefined) return next();
    response.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': standalonePagePolicy("'self'"),
      'Referrer-Policy': 'no-referrer',
    });
    this.answer(token, request, response).catch((error: unknown) => this.refuse(error, response));
  }

  private async answer(token: string, { method }: Request, response: Response): Promise<void> {
    if (!METHODS.split(', ').includes(method))
      throw new DomainError('methodNotAllowed', 'Only GET and POST are possible here', [], { Allow: METHODS });
    const userId = unsubscribedUser(this.secrets, token);
    if (userId === undefined) throw new DomainError('notFound', 'The address is not complete');
    if (method !== 'POST') return void response.type('html').send(QUESTION);
    await this.choices.endLetters(userId);
    response.type('html').send(DONE);
  }

  private refuse(thrown: unknown, response: Response): void {
    const error = toDomainError(thrown);
    if (!error) this.logger.error(stackOf(thrown));
    response
      .status(error?.status ?? 500)
      .set(error?.headers ?? {})
      .type('html')
      .send(standalonePage('The request failed', [h('p', `${error?.message ?? 'The server failed to answer'}.`)]));
  }
}

const QUESTION = standalonePage('E-mails about notifications', [
  h('p', 'Do you want to stop e-mails about notifications and changes? The workspace still shows them.'),
  h('form', { method: 'post' }, [h('button', { type: 'submit' }, 'Stop e-mails')]),
]);

const DONE = standalonePage('No more e-mails', [
  h(
    'p',
    'You get no more e-mails about notifications and changes. In the settings of the workspace you can ask for them again.',
  ),
]);
