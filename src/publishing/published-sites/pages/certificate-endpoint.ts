import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { Addresses } from '../../../kernel/common/addresses.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../../kernel/common/errors.js';
import { webAddress } from '../../../kernel/common/web-address.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { TrustedProxies } from '../../../kernel/platform/http/trusted-proxies.js';
import { codeOf } from '../../../kernel/platform/operator-error.js';
import type { PublicHandler } from '../../../kernel/platform/public-listener.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { organizationLabel } from '../../sites/domain/organization-host.js';
import { hostName } from '../domain/requested-address.js';

const CHECK = '/.well-known/bindery/tls-check';
const CHALLENGES = '/.well-known/acme-challenge/';
/** A name or an address. */
const NAME = /^[a-z0-9:.[\]-]{1,253}$/;
/** A token of RFC 8555, section 8.3: nothing that leads out of the folder. */
const TOKEN = /^[A-Za-z0-9_-]{1,200}$/;
/** An answer is the token and the thumbprint of a key. */
const MAX_CHALLENGE = 4096;

/** Published sites at the hostname `$1`, or at the root of the organization with the hostname `$2`. */
const SERVED = `SELECT FROM site WHERE site.published AND (lower(site.hostname) = $1
  OR site.id = (SELECT d.site_id FROM organization o JOIN organization_default_site d ON d.organization_id = o.id WHERE o.hostname = $2)) LIMIT 1`;

/**
 * Serves what certificates for the hostnames of published sites need: proxies ask for which of them they may order one, and
 * certificate authorities find the answers of ACME clients (HTTP-01). No page or redirect of a site is ever in the way.
 */
@Injectable()
export class CertificateEndpoint {
  private readonly proxies: TrustedProxies;

  constructor(
    private readonly addresses: Addresses,
    private readonly database: Database,
    private readonly limit: RateLimit,
    @Inject(CONFIG) private readonly config: Pick<Config, 'acmeWebroot' | 'trustedProxies'>,
  ) {
    this.proxies = new TrustedProxies(config.trustedProxies);
  }

  readonly handle: PublicHandler = (request, response, next) => {
    const url = request.url ?? '';
    const address = url.startsWith('/.well-known/') ? webAddress(url, 'http://localhost') : undefined;
    const path = address?.pathname ?? '';
    if (!address || !(path === CHECK || path.startsWith(CHALLENGES))) return next();
    this.answer(request, path, address.searchParams)
      .then((body) => send(body, request, response))
      .catch(next);
  };

  private async answer(request: IncomingMessage, path: string, query: URLSearchParams): Promise<Buffer> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new DomainError('methodNotAllowed', 'This can only be read', [], { Allow: 'GET, HEAD' });
    const found =
      path === CHECK ? await this.check(query.get('domain')) : await this.challenge(path.slice(CHALLENGES.length));
    if (found) return found;
    await this.limit.admitReader(this.proxies.clientOf(request));
    throw notFound(path === CHECK ? 'Domain' : 'Challenge');
  }

  /** Empty for a name that is served here. The answer tells no more than a request for the name would. */
  private async check(domain: string | null): Promise<Buffer | undefined> {
    if (domain === null || domain === '') throw invalid('domain', 'is required');
    const name = hostName(domain);
    if (!NAME.test(name)) return undefined;
    const own = hostName(new URL(this.addresses.public).host);
    if ([...this.addresses.own, this.addresses.app('')].some((address) => hostName(new URL(address).host) === name))
      return Buffer.alloc(0);
    const served = await this.database.one(SERVED, [name, organizationLabel(name, own) ?? null]);
    return served && Buffer.alloc(0);
  }

  private async challenge(token: string): Promise<Buffer | undefined> {
    if (this.config.acmeWebroot === undefined || !TOKEN.test(token)) return undefined;
    const file = await open(join(this.config.acmeWebroot, CHALLENGES, token)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) return undefined;
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_CHALLENGE));
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
}

function send(body: Buffer, { method }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
  });
  response.end(method === 'HEAD' ? undefined : body);
}
