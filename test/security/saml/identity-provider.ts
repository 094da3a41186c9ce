import type { IncomingMessage, ServerResponse } from 'node:http';
import { inflateRawSync } from 'node:zlib';
import samlify from 'samlify';
import { LocalServer } from '../local-server.js';
import { makeIdentity, type Identity } from './certificates.js';

const { Constants, IdentityProvider: SamlifyProvider, SamlLib, ServiceProvider, setSchemaValidator } = samlify;
setSchemaValidator({ validate: () => Promise.resolve('not needed') });

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const AUTHENTICATED =
  '<saml:AuthnStatement AuthnInstant="{Now}" SessionIndex="_session"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>';
const TEMPLATE = SamlLib.defaultLoginResponseTemplate.context.replace('{AuthnStatement}', AUTHENTICATED);

/** What differs from an answer as it should be; values of the template of samlify by their names. */
export interface Wish {
  readonly email?: string;
  readonly values?: Readonly<Record<string, string>>;
  /** Changes the XML before it is signed. */
  readonly before?: (xml: string) => string;
  /** What is signed; the assertion by default. */
  readonly signs?: 'assertion' | 'response' | 'both';
  readonly algorithm?: string;
  readonly identity?: Identity;
}

/** A form as the browser of somebody who has logged in sends it on. */
export interface Answer {
  readonly xml: string;
  readonly relayState: string;
}

/** The identity provider of samlify behind an HTTP server of its own: it lets in whoever `person` names, unless it asks. */
export class IdentityProvider extends LocalServer {
  person = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
  readonly identity = makeIdentity();
  /** Whether it shows a form for the name and a password, which is `secret` for everybody. */
  asks = false;

  get entityID(): string {
    return `${this.url}/metadata`;
  }

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const html = await this.page(request.url ?? '/');
    response.setHeader('Content-Type', 'text/html').end(html);
  }

  /** The answer to a request that arrived at an address of ours. */
  async answer(address: string, wish: Wish = {}): Promise<Answer> {
    const { searchParams } = new URL(address);
    const metadata = await (await fetch(this.audienceOf(searchParams))).text();
    const signs = wish.signs ?? 'assertion';
    const service = ServiceProvider({
      metadata:
        signs === 'response'
          ? metadata
          : metadata.replace('<SPSSODescriptor ', '<SPSSODescriptor WantAssertionsSigned="true" '),
      wantMessageSigned: signs === 'both',
    });
    const provider = this.provider(wish);
    const request = await provider.parseLoginRequest(service, 'redirect', { query: Object.fromEntries(searchParams) });
    const fill = this.filling(service, String((request.extract.request as { id?: string } | undefined)?.id), wish);
    const { context } = await provider.createLoginResponse(
      service,
      { extract: request.extract },
      'post',
      { email: wish.email ?? this.person.email },
      fill,
    );
    return { xml: Buffer.from(context, 'base64').toString(), relayState: searchParams.get('RelayState') ?? '' };
  }

  private provider({ algorithm = Constants.algorithms.signature.RSA_SHA256, identity = this.identity }: Wish) {
    return SamlifyProvider({
      entityID: this.entityID,
      privateKey: identity.privateKey,
      signingCert: identity.certificate,
      requestSignatureAlgorithm: algorithm,
      nameIDFormat: [EMAIL_FORMAT],
      singleSignOnService: [{ Binding: Constants.namespace.binding.redirect, Location: `${this.url}/sso` }],
      singleLogoutService: [{ Binding: Constants.namespace.binding.redirect, Location: `${this.url}/logout` }],
      loginResponseTemplate: {
        context: TEMPLATE,
        attributes: [
          {
            name: 'first_name',
            valueTag: 'firstName',
            nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
            valueXsiType: 'xs:string',
          },
          {
            name: 'last_name',
            valueTag: 'lastName',
            nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
            valueXsiType: 'xs:string',
          },
        ],
      },
    });
  }

  private filling(
    service: ReturnType<typeof ServiceProvider>,
    requestId: string,
    { email, values, before = (xml) => xml }: Wish,
  ) {
    const now = new Date();
    const soon = new Date(now.getTime() + 5 * 60_000).toISOString();
    const acs = String(service.entityMeta.getAssertionConsumerService('post'));
    const id = () => `_${crypto.randomUUID()}`;
    const tags: Record<string, string> = {
      ID: id(),
      AssertionID: id(),
      Destination: acs,
      Audience: service.entityMeta.getEntityID(),
      SubjectRecipient: acs,
      Issuer: this.entityID,
      IssueInstant: now.toISOString(),
      Now: now.toISOString(),
      StatusCode: Constants.StatusCode.Success,
      ConditionsNotBefore: now.toISOString(),
      ConditionsNotOnOrAfter: soon,
      SubjectConfirmationDataNotOnOrAfter: soon,
      NameIDFormat: EMAIL_FORMAT,
      NameID: email ?? this.person.email,
      InResponseTo: requestId,
      attrFirstName: this.person.firstName,
      attrLastName: this.person.lastName,
      ...values,
    };
    return (template: string) => ({
      id: tags['ID'] ?? '',
      context: before(SamlLib.replaceTagsByValue(template, tags)),
    });
  }

  /** The form that sends itself on, as identity providers show it after the password. */
  private async page(path: string): Promise<string> {
    const address = `${this.url}${path}`;
    const { searchParams } = new URL(address);
    const email = searchParams.get('email') ?? undefined;
    if (this.asks && (email === undefined || searchParams.get('password') !== 'secret'))
      return passwordForm(searchParams, email !== undefined);
    const { xml, relayState } = await this.answer(address, { ...(email !== undefined && { email }) });
    const acs = this.audienceOf(searchParams).replace(/metadata$/, 'acs');
    return `<!doctype html><form method="post" action="${acs}"><input name="SAMLResponse" value="${Buffer.from(xml).toString('base64')}"><input name="RelayState" value="${relayState}"></form><script>document.forms[0].submit()</script>`;
  }

  /** Who asks: the name in the request, which is the address of the metadata. */
  private audienceOf(query: URLSearchParams): string {
    const request = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString();
    return /<saml:Issuer[^>]*>([^<]+)</.exec(request)?.[1] ?? '';
  }
}

function passwordForm(query: URLSearchParams, wasWrong: boolean): string {
  const kept = ['SAMLRequest', 'RelayState']
    .map((name) => `<input type="hidden" name="${name}" value="${query.get(name) ?? ''}">`)
    .join('');
  const fields =
    '<label>E-mail <input name="email"></label> <label>Password <input name="password" type="password"></label> <button>Log in</button>';
  return `<!doctype html><title>Identity provider</title><h1>Identity provider</h1>${wasWrong ? '<p>That is not the password.</p>' : ''}<form>${kept}${fields}</form>`;
}
