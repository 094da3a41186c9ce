import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { toDomainError } from '../../kernel/common/error.filter.js';
import { DomainError, stackOf } from '../../kernel/common/errors.js';
import { standalonePagePolicy } from '../../kernel/platform/http/standalone-page.js';
import { RequestBodies } from '../../kernel/platform/http/json-body.js';
import { SessionCookie } from '../../kernel/platform/http/session-cookie.js';
import { Sessions } from '../sessions/sessions.service.js';
import { LoginFault } from './domain/login-fault.js';
import { BrowserBinding } from './browser-binding.js';
import { LoginRefusals } from './login-refusals.js';
import { LoginTesting } from './login-testing.service.js';
import { isTestId } from './login-tests.service.js';
import { Logins, type LoginEnd } from './logins.service.js';
import { OidcLogins, stateParts } from './oidc-logins.service.js';
import { refusalPage, tokenPage } from './login-pages.js';
import { readSamlForm, type SamlForm } from './saml-form.js';
import { SamlLogins } from './saml-logins.service.js';

const PATH = /^\/sso\/([a-z]+)\/([A-Za-z0-9]{1,40})\/([a-z]+)$/;
/**
 * The addresses of each protocol, and their methods: an address that begins or ends a login must not be requested by
 * HEAD.
 */
const METHODS = {
  'saml/start': ['GET'],
  'saml/acs': ['POST'],
  'saml/finish': ['GET'],
  'saml/tested': ['GET'],
  'saml/metadata': ['GET', 'HEAD'],
  'oidc/start': ['GET'],
  'oidc/callback': ['GET'],
} as const;
type Action = keyof typeof METHODS;
const LOGIN_ID = /^_[0-9a-f]{40}$/;
const POLICY = standalonePagePolicy("'none'");

/** The input of a step: one provider's part in a login. */
interface Step {
  readonly action: Action;
  readonly providerId: string;
  /** The return address of the application that began the login. */
  returnTo?: string | undefined;
  /** It belongs to a test, which is no login: nobody is told of its faults, and it cannot begin again here. */
  isTest?: boolean;
}

function actionAt(path: string): Step | undefined {
  const [, protocol = '', providerId = '', step = ''] = PATH.exec(path) ?? [];
  const name = `${protocol}/${step}`;
  return Object.hasOwn(METHODS, name) ? { action: name as Action, providerId } : undefined;
}

/** The addresses that browsers open in a login: pages for people, so faults are also shown as pages. */
@Injectable()
export class LoginsEndpoint {
  private readonly logger = new Logger('Logins');

  constructor(
    private readonly saml: SamlLogins,
    private readonly tests: LoginTesting,
    private readonly oidc: OidcLogins,
    private readonly browsers: BrowserBinding,
    private readonly logins: Logins,
    private readonly refusals: LoginRefusals,
    private readonly bodies: RequestBodies,
    private readonly cookie: SessionCookie,
    private readonly sessions: Sessions,
  ) {}

  /** The middleware; it runs after the rate limits. */
  handle(request: Request, response: Response, next: NextFunction): void {
    const step = actionAt(request.path);
    if (!step) return next();
    response.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' });
    this.answer(step, request, response).catch((error: unknown) => this.refuse(step, error, response));
  }

  private async answer(step: Step, request: Request, response: Response): Promise<void> {
    const { action, providerId } = step;
    const methods: readonly string[] = METHODS[action];
    if (!methods.includes(request.method))
      throw new DomainError('methodNotAllowed', `Only ${methods[0]} is possible here`, [], {
        Allow: methods.join(', '),
      });
    const browser = this.browsers.recognize(request);
    switch (action) {
      case 'saml/metadata':
        return void response.type('application/samlmetadata+xml').send(await this.saml.metadata(providerId));
      case 'saml/start':
      case 'oidc/start': {
        const logins = action === 'saml/start' ? this.saml : this.oidc;
        const returnTo = parameter(request, 'returnTo');
        if (returnTo !== undefined && this.logins.mayReturnTo(returnTo)) step.returnTo = returnTo;
        if (returnTo !== undefined && this.logins.isToWorkspace(returnTo)) requireOwnLink(request);
        return response.redirect(
          302,
          await logins.begin(providerId, this.browsers.remember(request, response), returnTo),
        );
      }
      case 'saml/acs':
        return response.redirect(303, await this.receive(step, await readSamlForm(request, this.bodies)));
      case 'saml/finish': {
        const loginId = parameter(request, 'login') ?? '';
        await this.noteReturn(step, loginId);
        const code = parameter(request, 'code') ?? '';
        return this.finish(await this.saml.finish(providerId, loginId, code, browser), request, response);
      }
      case 'saml/tested': {
        step.isTest = true;
        const testId = parameter(request, 'test') ?? '';
        const code = parameter(request, 'code') ?? '';
        return response.redirect(303, await this.tests.finish(this.saml, providerId, testId, code, browser));
      }
      case 'oidc/callback': {
        const { searchParams } = new URL(request.originalUrl, 'http://server');
        const { loginId } = stateParts(searchParams.get('state') ?? '');
        if (isTestId(loginId)) {
          step.isTest = true;
          return response.redirect(303, await this.tests.end(this.oidc, providerId, loginId, searchParams, browser));
        }
        await this.noteReturn(step, loginId);
        return this.finish(await this.oidc.end(providerId, searchParams, browser), request, response);
      }
    }
  }

  /** Receives the form of an identity provider, and gives the address where its login or test ends. */
  private async receive(step: Step, form: SamlForm): Promise<string> {
    const { providerId } = step;
    if (isTestId(form.relayState)) {
      step.isTest = true;
      return this.tests.receive(this.saml, providerId, form.relayState, form);
    }
    await this.noteReturn(step, form.relayState);
    return this.saml.receive(providerId, form);
  }

  /** A session takes the place of the one that the browser had. */
  private async finish(end: LoginEnd, request: Request, response: Response): Promise<void> {
    if (!('address' in end)) return void response.type('html').send(tokenPage(end.token));
    if (end.session) {
      const former = this.cookie.read(request);
      if (former !== undefined) await this.sessions.endFormer(former);
      this.cookie.set(response, end.session.secret, end.session.seconds);
    }
    response.redirect(303, end.address);
  }

  /** Looks up the return address of a login before the login is used up. */
  private async noteReturn(step: Step, loginId: string): Promise<void> {
    step.returnTo = LOGIN_ID.test(loginId) ? await this.logins.returnAddress(step.providerId, loginId) : undefined;
  }

  private async refuse(step: Step, thrown: unknown, response: Response): Promise<void> {
    const { providerId, returnTo, isTest = false } = step;
    if (thrown instanceof LoginFault && !isTest) await this.refusals.record(providerId, thrown);
    const error = thrown instanceof LoginFault ? new DomainError('invalid', thrown.message) : toDomainError(thrown);
    if (!error) this.logger.error(stackOf(thrown));
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response
      .status(error?.status ?? 500)
      .set(error?.headers ?? {})
      .type('html')
      .send(
        refusalPage({
          reason: error?.message ?? 'The server failed to answer',
          ...(thrown instanceof LoginFault
            ? {
                compared: thrown.compared,
                startAgain: isTest
                  ? undefined
                  : `start${returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`}`,
              }
            : { compared: [], startAgain: undefined }),
        }),
      );
  }
}

/**
 * Throws `forbidden` where another site begins a login to the workspace: its provider could sign the reader in as
 * somebody else (login CSRF). Browsers without the header are let through.
 */
function requireOwnLink(request: Request): void {
  const site = request.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new DomainError('forbidden', 'Another site has led you here: sign in at the address of the workspace');
}

function parameter({ query }: Request, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new DomainError('invalid', `${name} must be given once`);
}
