import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider, { type AdapterPayload, type JWK, type KoaContextWithOIDC } from 'oidc-provider';
import { Browser } from '../browser.js';
import { LocalServer } from '../local-server.js';
import { makeStore } from './store.js';

type Json = Record<string, unknown>;

/** What differs from what a provider says as it should be. */
export interface Wish {
  /** Claims of the person, in the id token or where the provider is asked about its subject. */
  readonly claims?: Json;
  /** Makes the id token in the place of the one that the provider has signed. */
  readonly idToken?: (honest: { header: Json; claims: Json }, keys: Keys) => string | undefined;
  readonly token?: (answer: Json) => Json | Promise<Json>;
  readonly userinfo?: (answer: Json) => Json;
}

export interface Keys {
  readonly own: KeyObject;
  readonly ownPublic: KeyObject;
  readonly foreign: KeyObject;
  readonly clientSecret: string;
}

/** A client as the provider knows it. */
export interface Registration {
  readonly clientID: string;
  readonly clientSecret: string;
}

const readToken = (token: string): { header: Json; claims: Json } => {
  const [header = {}, claims = {}] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json);
  return { header, claims };
};

/** The provider of `oidc-provider` behind an HTTP server of its own: it lets in whoever `email` names, unless it asks. */
export class OidcIdentityProvider extends LocalServer {
  email = 'ada@example.com';
  wish: Wish = {};
  /** Whether it shows a form for the name. */
  asks = false;
  /** Changes what the provider publishes of itself. */
  settings: (published: Json) => unknown = (published) => published;
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  /** Whether claims of the person are in the id token, or only where the provider is asked about its subject. */
  claimsInToken = false;
  private readonly key = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly foreign = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  private readonly clients = new Map<string, AdapterPayload>();
  private clientSecret = '';
  private provider: Provider | undefined;

  /** Makes a service known. */
  register(redirectURL: string): Registration {
    const clientID = `client-${this.clients.size}`;
    this.clientSecret = `secret-${crypto.randomUUID()}`;
    this.clients.set(clientID, { client_id: clientID, client_secret: this.clientSecret, redirect_uris: [redirectURL] });
    return { clientID, clientSecret: this.clientSecret };
  }

  /** What the browser brings back from the provider after it was sent to an address of it. */
  async answer(address: string, email: string, wish: Wish = {}): Promise<URL> {
    this.email = email;
    this.wish = wish;
    const browser = new Browser();
    let next = address;
    for (let step = 0; step < 10; step++) {
      const { location, status, text } = await browser.open(next);
      if (location === null) throw new Error(`the provider stops at ${next} with ${status}: ${text.slice(0, 500)}`);
      next = new URL(location, next).href;
      if (!next.startsWith(this.url)) return new URL(next);
    }
    throw new Error('the provider never sends the browser back');
  }

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked.push((request.url ?? '').split('?', 1)[0] ?? '');
    const provider = (this.provider ??= this.make());
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response);
    const email = new URL(request.url, this.url).searchParams.get('email') ?? undefined;
    if (this.asks && email === undefined)
      return void response
        .setHeader('Content-Type', 'text/html')
        .end(
          '<!doctype html><title>Identity provider</title><form><label>E-mail <input name="email"></label> <button>Log in</button></form>',
        );
    await provider.interactionFinished(request, response, { login: { accountId: email ?? this.email } });
  }

  private make(): Provider {
    const jwk = { ...(this.key.privateKey.export({ format: 'jwk' }) as JWK), kid: 'own', use: 'sig', alg: 'RS256' };
    const provider: Provider = new Provider(this.url, {
      adapter: makeStore(this.clients),
      jwks: { keys: [jwk] },
      cookies: { keys: ['only-for-tests'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
      pkce: { required: () => true },
      conformIdTokenClaims: !this.claimsInToken,
      ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      findAccount: (_, id) => ({
        accountId: id,
        claims: () => ({ sub: id, email: id, email_verified: true, name: 'Ada Lovelace', ...this.wish.claims }),
      }),
      // Nobody is asked for consent.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new provider.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      await next();
      await this.cheat(context as KoaContextWithOIDC);
    });
    return provider;
  }

  private async cheat(context: KoaContextWithOIDC): Promise<void> {
    const body = context.body as Json | undefined;
    if (typeof body !== 'object') return;
    if (context.path === '/.well-known/openid-configuration') context.body = this.settings(body);
    if (context.path === '/me' && this.wish.userinfo) context.body = this.wish.userinfo(body);
    if (context.path !== '/token' || typeof body['id_token'] !== 'string') return;
    const keys = {
      own: this.key.privateKey,
      ownPublic: this.key.publicKey,
      foreign: this.foreign,
      clientSecret: this.clientSecret,
    };
    const made = this.wish.idToken ? this.wish.idToken(readToken(body['id_token']), keys) : body['id_token'];
    const { id_token: _, ...others } = body;
    const answer = made === undefined ? others : { ...others, id_token: made };
    context.body = this.wish.token ? await this.wish.token(answer) : answer;
  }
}
