import { Injectable } from '@nestjs/common';
import { InvalidClientMetadataError, TooManyRequestsError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthRegisteredClientsStore } from '@modelcontextprotocol/sdk/server/auth/clients.js';
import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js';
import { Clock } from '../../kernel/common/clock.js';
import { currentContext } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { isId, newId } from '../../kernel/common/ids.js';
import { Budgets } from '../../kernel/platform/rate-limit/budget.js';
import { redirectUriFault } from './domain/redirect-uri.js';
import { OauthClient } from './oauth-client.entity.js';

const REGISTRATIONS_PER_MINUTE = 10;
const MAX_REDIRECT_URIS = 10;
const MAX_NAME = 100;

/**
 * Clients that register themselves (RFC 7591). All are public: whatever a client asks for, it has no secret, and codes
 * are bound to it by PKCE.
 */
@Injectable()
export class OauthClients implements OAuthRegisteredClientsStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly budgets: Budgets,
  ) {}

  async getClient(id: string): Promise<OAuthClientInformationFull | undefined> {
    const row = isId(id) ? await this.database.of(OauthClient).findOneBy({ id }) : null;
    return row ? present(row) : undefined;
  }

  /** Throws `InvalidClientMetadataError`, and `TooManyRequestsError` for an address that registers too many. */
  async registerClient({
    redirect_uris: addresses,
    client_name: name = '',
  }: Omit<OAuthClientInformationFull, 'client_id' | 'client_id_issued_at'>): Promise<OAuthClientInformationFull> {
    if (addresses.length === 0 || addresses.length > MAX_REDIRECT_URIS)
      throw new InvalidClientMetadataError(`redirect_uris must have 1 to ${MAX_REDIRECT_URIS} addresses`);
    for (const [index, address] of addresses.entries()) {
      const fault = redirectUriFault(address);
      if (fault !== undefined) throw new InvalidClientMetadataError(`redirect_uris.${index}: ${fault}`);
    }
    const { allowed } = await this.budgets.spend(`oauth-register:${currentContext()?.ip}`, REGISTRATIONS_PER_MINUTE);
    if (!allowed) throw new TooManyRequestsError('Too many clients are registered from this address');
    const row: OauthClient = {
      id: newId(),
      name: shownName(name) || 'Agent',
      redirectUris: addresses,
      createdAt: this.clock.now(),
    };
    await this.database.of(OauthClient).insert(row);
    return present(row);
  }
}

/** A name without characters that change how the text around it is read. */
function shownName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .trim();
}

function present({ id, name, redirectUris, createdAt }: OauthClient): OAuthClientInformationFull {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}
