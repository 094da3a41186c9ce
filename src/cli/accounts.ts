import type { INestApplicationContext } from '@nestjs/common';
import { notFound } from '../kernel/common/errors.js';
import { OrganizationIpAllowLists } from '../identity/organizations/ip-allow-lists.service.js';
import { Organizations } from '../identity/organizations/organizations.service.js';
import { SignInLinks } from '../identity/sessions/sign-in-links.service.js';
import type { ApiToken } from '../identity/users/token.entity.js';
import { type NewToken, Tokens } from '../identity/users/tokens.service.js';
import type { User } from '../identity/users/user.entity.js';
import { type NewUser, Users } from '../identity/users/users.service.js';
import { announceConfigured } from './addresses.js';
import { withServices } from './services.js';

const PAGE_SIZE = 1000;

/** A token as shown by the command line; `begins` are its first characters. */
const presentToken = ({
  id,
  name,
  hint,
  scopes,
  agent,
  organizationId,
  createdAt,
  expiresAt,
  lastUsedAt,
}: Omit<ApiToken, 'hash' | 'kind'>) => ({
  id,
  name,
  begins: hint,
  scopes: scopes?.join(' ') ?? 'all',
  agent,
  organization: organizationId,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

export type PresentedToken = ReturnType<typeof presentToken>;

/** Throws `notFound`. */
export async function findUser(services: INestApplicationContext, email: string): Promise<User> {
  const user = await services.get(Users).findByEmail(email);
  if (!user) throw notFound(`An account for ${email} was`);
  return user;
}

/** @returns the id of the new account. */
export const createUser = (facts: NewUser): Promise<string> =>
  withServices(async (services) => (await services.get(Users).create(facts)).id);

/** Makes a link that signs the account with that address in, once, for an hour. */
export const createSignInLink = (email: string): Promise<{ url: string; expiresAt: string }> =>
  withServices(async (services) => {
    announceConfigured(services);
    const { url, expiresAt } = await services.get(SignInLinks).forUser(await findUser(services, email));
    return { url, expiresAt: expiresAt.toISOString() };
  });

/** @returns the id of the new organization, whose first administrator is the account with that address. */
export const createOrganization = (title: string, owner: string): Promise<string> =>
  withServices(
    async (services) => (await services.get(Organizations).create((await findUser(services, owner)).id, { title })).id,
  );

/** The ranges of addresses from which members reach the organization; none for all. */
export const ipAllowListOf = (id: string): Promise<string[]> =>
  withServices(async (services) => (await services.get(OrganizationIpAllowLists).find(id)).ipAllowList, {
    onlyReads: true,
  });

/** Lets all addresses in. @returns the ranges that are left: none. */
export const clearIpAllowList = (id: string): Promise<string[]> =>
  withServices(async (services) => (await services.get(OrganizationIpAllowLists).clear(id)).ipAllowList);

/** Issues a token to the account with that address. */
export const createToken = (email: string, wanted: NewToken): Promise<PresentedToken & { token: string }> =>
  withServices(async (services) => {
    const { id } = await findUser(services, email);
    if (wanted.organizationId !== undefined) await services.get(Organizations).get(id, wanted.organizationId);
    const { row, secret } = await services.get(Tokens).issue(id, wanted);
    return { ...presentToken(row), token: secret };
  });

/** All tokens of the account, newest first. */
export const listTokens = (email: string): Promise<PresentedToken[]> =>
  withServices(async (services) => {
    const { id } = await findUser(services, email);
    const found: PresentedToken[] = [];
    for (let page: string | undefined; ;) {
      const { items, next } = await services
        .get(Tokens)
        .list(id, { limit: PAGE_SIZE, ...(page !== undefined && { page }) });
      found.push(...items.map(presentToken));
      if (next === undefined) return found;
      page = next;
    }
  });

export const revokeToken = (id: string): Promise<void> =>
  withServices((services) => services.get(Tokens).revokeById(id));
