import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import { Secrets } from '../../kernel/common/secrets.js';
import { Outbound } from '../../kernel/platform/outbound/outbound.js';
import { CLOCK_SKEW } from './domain/clock-skew.js';
import { comparison, LoginFault } from './domain/login-fault.js';
import type { OidcSettings } from './oidc.schema.js';
import { asLoginFault } from './oidc-faults.js';
import type { CompleteProvider } from './protocol.js';

const KNOWN_PROVIDERS = 500;
const KNOWN_MILLISECONDS = 10 * 60_000;
/** Milliseconds for which a provider that could not be read is not requested again. */
const FAILED_MILLISECONDS = 5000;
const TIMEOUT_SECONDS = 10;
/** Limit of any response: settings and keys take a few kilobytes. */
const MAX_BYTES = 256 * 1024;

/**
 * The library's clients of providers, with the published settings and keys of these. The library itself fetches the
 * keys again after five minutes, and for an unknown key at most once a minute.
 */
@Injectable()
export class OidcClients {
  private readonly known = new LRUCache<string, Promise<oidc.Configuration>>({
    max: KNOWN_PROVIDERS,
    ttl: KNOWN_MILLISECONDS,
  });

  constructor(
    private readonly secrets: Secrets,
    private readonly outbound: Outbound,
  ) {}

  /**
   * The client of a provider with its current settings. Throws `LoginFault` if the issuer cannot be read, or is another
   * one.
   */
  of(provider: CompleteProvider<OidcSettings>): Promise<oidc.Configuration> {
    const key = `${provider.id}:${provider.version}`;
    const before = this.known.get(key);
    if (before) return before;
    const client = this.discover(provider);
    this.known.set(key, client);
    client.catch(() => this.known.set(key, client, { ttl: FAILED_MILLISECONDS }));
    return client;
  }

  private async discover({ issuer, clientID, clientSecret }: OidcSettings): Promise<oidc.Configuration> {
    const authentication = identification(this.secrets.decrypt(clientSecret));
    const client = await oidc
      .discovery(new URL(issuer), clientID, { [oidc.clockTolerance]: CLOCK_SKEW / 1000 }, authentication, {
        // Uses http only where the operator allows it for requests of callers: the guarded requests enforce this.
        execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [])],
        [oidc.customFetch]: guardedFetch(this.outbound),
        timeout: TIMEOUT_SECONDS,
      })
      .catch((error: unknown) => {
        throw asLoginFault(error, 'The settings of the identity provider cannot be read');
      });
    const {
      issuer: named,
      authorization_endpoint: authorization,
      token_endpoint: token,
      jwks_uri: keys,
    } = client.serverMetadata();
    // The library's comparison of addresses has exceptions for services with many tenants, any of which could log in
    // here.
    if (named !== issuer)
      throw new LoginFault('The identity provider calls itself by another name than the issuer that is set', {
        compared: [comparison('issuer', issuer, named)],
      });
    if (authorization === undefined || token === undefined || keys === undefined)
      throw new LoginFault('The identity provider does not say where to log in, or with which keys it signs');
    return client;
  }
}

/**
 * Sends the client secret in the body if the provider accepts it there, since its encoding is unambiguous only in the
 * body; else in the header.
 */
function identification(secret: string): oidc.ClientAuth {
  const [inBody, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (server, ...request) =>
    (server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? inBody : inHeader)(
      server,
      ...request,
    );
}

/** Restricts the library to the addresses that requests of callers may reach. */
function guardedFetch(outbound: Outbound): oidc.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const { authorization, ...others } = Object.fromEntries(new Headers(headers));
    const answer = await outbound.fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: others,
      ...(authorization !== undefined && { credentials: { authorization } }),
      ...(body instanceof URLSearchParams && { body: Buffer.from(body.toString()) }),
      httpsOnly: 'in-public',
      redirects: 0,
      timeout: TIMEOUT_SECONDS * 1000,
      maxBytes: MAX_BYTES,
      ...(signal && { signal }),
    });
    return new Response(answer.body.length === 0 ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}
