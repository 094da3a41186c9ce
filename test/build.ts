import type { AccessLevel } from '../src/kernel/common/roles.js';
import { newId } from '../src/kernel/common/ids.js';
import { Organizations } from '../src/identity/organizations/organizations.service.js';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { Users } from '../src/identity/users/users.service.js';
import type { TestApp } from './app.js';
import { Client } from './client.js';

/** A person who can call the API. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly api: Client;
}

export interface Workspace {
  readonly id: string;
  readonly admin: Person;
  /** A new member of this organization with a role (`none` makes a guest). */
  readonly member: (role: AccessLevel) => Promise<Person>;
}

/** A person with an account and a token and no organization. */
export async function buildPerson(app: TestApp): Promise<Person> {
  const email = `${newId().toLowerCase()}@example.com`;
  const user = await app.get(Users).create({ email, displayName: `Person ${email.slice(0, 6)}`, emailVerified: true });
  const { secret } = await app.get(Tokens).issue(user.id, { name: 'test' });
  return { id: user.id, email, api: new Client(app.url, secret) };
}

/** An organization of its own for one test. */
export async function buildOrganization(app: TestApp): Promise<Workspace> {
  const admin = await buildPerson(app);
  const { id } = await app.get(Organizations).create(admin.id, { title: 'Test organization' });
  return {
    id,
    admin,
    member: async (role) => {
      const person = await buildPerson(app);
      await app.database.execute(
        'INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, $3, now())',
        [id, person.id, role],
      );
      return person;
    },
  };
}
