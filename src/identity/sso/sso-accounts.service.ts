import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { Members } from '../organizations/members.service.js';
import { TeamMembers } from '../teams/team-members.service.js';
import { Users } from '../users/users.service.js';
import { Invitations } from '../../workspace/invites/invitations.service.js';
import { LoginFault } from './domain/login-fault.js';
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

  private async member(provider: Admission, person: AdmittedPerson): Promise<string> {
    const { organizationId } = provider;
    const known = await this.users.findByEmail(person.email);
    if (!known) return this.welcome(provider, person);
    if (known.disabled) throw new LoginFault('Your account is disabled', { person });
    const member = await this.database.one<{ sso: boolean; disabled: boolean }>(
      'SELECT sso, disabled FROM member WHERE organization_id = $1 AND user_id = $2',
      [organizationId, known.id],
    );
    if (member?.disabled) throw new LoginFault('Your membership is disabled', { person });
    if (member?.sso) return known.id;
    const role = member ? undefined : await this.invitations.useForLogin(organizationId, known);
    if (role === undefined) throw new LoginFault(OWN_ACCOUNT, { person });
    await this.members.admit(organizationId, known.id, role, { sso: true });
    return known.id;
  }

  /**
   * Creates an account. Its address never counts as verified: the assertion of a provider proves nothing to other
   * organizations.
   */
  private async welcome(
    { organizationId, defaultRole, defaultTeamId }: Admission,
    { email, displayName, role }: AdmittedPerson,
  ): Promise<string> {
    const user = await this.users.create({
      email,
      displayName: displayName ?? email.slice(0, email.indexOf('@')),
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
}
