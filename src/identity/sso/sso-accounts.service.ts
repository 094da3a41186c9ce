import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import type { Member } from '../organizations/member.entity.js';
import { Members } from '../organizations/members.service.js';
import { TeamMembers } from '../teams/team-members.service.js';
import type { User } from '../users/user.entity.js';
import { Users } from '../users/users.service.js';
import { Invitations } from '../../workspace/invites/invitations.service.js';
import { LoginFault } from './domain/login-fault.js';
import type { ForeseenAccount } from './login-test-result.js';
import type { Admission, AdmittedPerson } from './protocol.js';

const OWN_ACCOUNT =
  'There is an account for your address already, which an identity provider cannot take over. Log in with it as before. An administrator can let you log in here, by marking you as a member with single sign-on or by inviting you as one';

/**
 * Finds or creates the account of a login. A provider may only identify the people of its organization: it gives access
 * to accounts that it created, and to those of members whom an administrator has marked, and to no others whatever
 * address it asserts.
 */
@Injectable()
export class SsoAccounts {
  constructor(
    private readonly database: Database,
    private readonly users: Users,
    private readonly members: Members,
    private readonly teamMembers: TeamMembers,
    private readonly invitations: Invitations,
  ) {}

  /**
   * Returns the user, now a member, in the ambient transaction, which has locked the organization. Throws `LoginFault`
   * for people who are not admitted.
   */
  async admit(provider: Admission, person: AdmittedPerson): Promise<string> {
    const userId = await this.member(provider, person);
    for (const team of await this.teamsOf(provider, person))
      await this.teamMembers.addNew(provider.organizationId, team, [userId]);
    return userId;
  }

  /** The account that `admit` would return or make, with its rights; changes nothing. Throws `LoginFault` where it would. */
  async foresee(provider: Admission, person: AdmittedPerson): Promise<ForeseenAccount> {
    const { organizationId, defaultRole, defaultTeamId } = provider;
    const teamIds = await this.teamsOf(provider, person);
    const known = await this.users.findByEmail(person.email);
    const member = known && (await this.membership(organizationId, known, person));
    if (known && member?.sso)
      return {
        account: 'member',
        userId: known.id,
        displayName: known.displayName,
        role: member.role,
        teams: await this.titlesOf(organizationId, teamIds),
      };
    const invited = member ? undefined : await this.invitations.roleForLogin(organizationId, person.email);
    if (known && invited === undefined) throw new LoginFault(OWN_ACCOUNT, { person });
    const added = known || defaultTeamId === null ? teamIds : [...teamIds, defaultTeamId];
    return {
      account: invited === undefined ? 'new' : 'invited',
      displayName: nameOf(person),
      role: invited ?? person.role ?? defaultRole,
      teams: await this.titlesOf(organizationId, added),
    };
  }

  private async member(provider: Admission, person: AdmittedPerson): Promise<string> {
    const { organizationId } = provider;
    const known = await this.users.findByEmail(person.email);
    if (!known) return this.welcome(provider, person);
    const member = await this.membership(organizationId, known, person);
    if (member?.sso) return known.id;
    const role = member ? undefined : await this.invitations.useForLogin(organizationId, known);
    if (role === undefined) throw new LoginFault(OWN_ACCOUNT, { person });
    await this.members.admit(organizationId, known.id, role, { sso: true });
    return known.id;
  }

  /** The membership of an account, if it has one. Throws `LoginFault` if either is disabled. */
  private async membership(
    organizationId: string,
    known: User,
    person: AdmittedPerson,
  ): Promise<Pick<Member, 'sso' | 'role' | 'disabled'> | undefined> {
    if (known.disabled) throw new LoginFault('Your account is disabled', { person });
    const member = await this.database.one<Pick<Member, 'sso' | 'role' | 'disabled'>>(
      'SELECT sso, role, disabled FROM member WHERE organization_id = $1 AND user_id = $2',
      [organizationId, known.id],
    );
    if (member?.disabled) throw new LoginFault('Your membership is disabled', { person });
    return member;
  }

  /**
   * Creates an account. Its address never counts as verified: the assertion of a provider proves nothing to other
   * organizations.
   */
  private async welcome(
    { organizationId, defaultRole, defaultTeamId }: Admission,
    person: AdmittedPerson,
  ): Promise<string> {
    const { email, role } = person;
    const user = await this.users.create({
      email,
      displayName: nameOf(person),
      emailVerified: false,
    });
    const invited = await this.invitations.useForLogin(organizationId, user);
    await this.members.admit(organizationId, user.id, invited ?? role ?? defaultRole, { sso: true });
    if (defaultTeamId !== null) await this.teamMembers.addNew(organizationId, defaultTeamId, [user.id]);
    return user.id;
  }

  /** The teams that a mapping returns. Throws `LoginFault` for one that the organization does not have. */
  private async teamsOf({ organizationId }: Admission, { teams = [] }: AdmittedPerson): Promise<readonly string[]> {
    if (teams.length === 0) return teams;
    const found = await this.database.query<{ id: string }>(
      'SELECT id FROM team WHERE organization_id = $1 AND id = ANY ($2::text[])',
      [organizationId, teams],
    );
    const missing = teams.find((team) => !found.some(({ id }) => id === team));
    if (missing !== undefined)
      throw new LoginFault(
        `An identity mapping names the team ${JSON.stringify(missing)}, which the organization does not have`,
      );
    return teams;
  }

  private titlesOf(organizationId: string, ids: readonly string[]): Promise<{ id: string; title: string }[]> {
    return ids.length === 0
      ? Promise.resolve([])
      : this.database.query<{ id: string; title: string }>(
          'SELECT id, title FROM team WHERE organization_id = $1 AND id = ANY ($2::text[]) ORDER BY title, id',
          [organizationId, ids],
        );
  }
}

/** The name of a new account. */
function nameOf({ displayName, email }: AdmittedPerson): string {
  return displayName ?? email.slice(0, email.indexOf('@'));
}
