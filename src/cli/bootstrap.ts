import type { INestApplicationContext } from '@nestjs/common';
import { Database } from '../kernel/common/database.js';
import type { Config } from '../kernel/platform/config/config.js';
import { Organizations } from '../identity/organizations/organizations.service.js';
import { LINK_MINUTES, SignInLinks } from '../identity/sessions/sign-in-links.service.js';
import { Tokens } from '../identity/users/tokens.service.js';
import { Users } from '../identity/users/users.service.js';

/**
 * The result of the very first start; `token` and `signInURL` are known only now. Both are absent if the operator chose
 * the token, since nothing secret is printed then.
 */
export type Bootstrap = {
  readonly userId: string;
  readonly email: string;
  readonly organization: { readonly id: string; readonly title: string };
  readonly token?: string;
  readonly signInURL?: string;
};

/** The database lock for creating the first account. */
export const BOOTSTRAP_LOCK = [0x62696e64, 4] as const;

/**
 * Creates the first administrator, organization and API token on a database without any account, all in one transaction
 * and once although several servers start at the same time. @returns undefined if there were accounts already.
 */
export async function bootstrap(services: INestApplicationContext, config: Config): Promise<Bootstrap | undefined> {
  const database = services.get(Database);
  return database.transaction(async () => {
    await database.query('SELECT pg_advisory_xact_lock($1, $2)', BOOTSTRAP_LOCK);
    if ((await database.one('SELECT 1 FROM account LIMIT 1')) !== undefined) return undefined;
    const email = config.bootstrapEmail;
    const user = await services.get(Users).create({ email, displayName: 'Administrator', emailVerified: true });
    const organization = await services.get(Organizations).create(user.id, { title: config.bootstrapOrganization });
    const { secret } = await services.get(Tokens).issue(user.id, {
      name: 'first start',
      ...(config.bootstrapToken !== undefined && { secret: config.bootstrapToken }),
    });
    return {
      userId: user.id,
      email,
      organization: { id: organization.id, title: organization.title },
      ...(config.bootstrapToken === undefined && {
        token: secret,
        signInURL: (await services.get(SignInLinks).forUser(user, LINK_MINUTES.firstStart)).url,
      }),
    };
  });
}
