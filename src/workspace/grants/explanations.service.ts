import { Injectable } from '@nestjs/common';
import { Members } from '../../identity/organizations/members.service.js';
import { Teams } from '../../identity/teams/teams.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import type { AccessLevel } from '../../kernel/common/roles.js';
import type { Granted } from './grant-tables.js';
import { Grants } from './grants.service.js';
import { decisiveReason, byPrecedence, REASON_THINGS, type RoleExplanation, type Reason } from './reasons.js';

const ORGANIZATION_TITLE = 'SELECT id, title FROM organization WHERE id = $1';

/** Tells by which rules a member has a role on a collection, space or site. */
@Injectable()
export class Explanations {
  constructor(
    private readonly database: Database,
    private readonly grants: Grants,
    private readonly members: Members,
    private readonly teams: Teams,
  ) {}

  /**
   * The role of a member and all rules that give one, in order of precedence, with the one that decides. Titles of what
   * the caller does not see are left out. Throws `notFound` for a person who is no member.
   */
  async explain(caller: Caller, on: Granted, userId: string): Promise<RoleExplanation> {
    const statements = this.grants.statementsOf(on);
    const organization = await this.grants.requireInsider(caller, on.organizationId);
    const member = await this.members.get(caller.userId, organization, userId);
    const [held, reasons] = await Promise.all([
      this.database.one<{ role: AccessLevel; added: string[] }>(statements.role, [userId, on.id]),
      this.database.query<Reason & Record<string, unknown>>(statements.reasons, [userId, on.id]),
    ]);
    const ordered = byPrecedence(reasons, on.kind);
    const [titles, teams] = await Promise.all([
      this.titlesOf(caller.userId, on.organizationId, ordered),
      this.teams.load(caller.userId, organization, [...new Set(ordered.flatMap(({ teamId }) => teamId ?? []))]),
    ]);
    const decisive = decisiveReason(ordered, on.kind);
    const teamById = new Map(teams.map((team) => [team.id, team]));
    return {
      user: member,
      role: held?.role ?? 'none',
      disabled: member.disabled,
      added: held?.added ?? [],
      reasons: ordered.map((reason) => ({
        rule: reason.rule,
        thing: reason.thing,
        role: reason.role,
        on: titles.get(reason.thingId),
        team: reason.teamId === null ? undefined : teamById.get(reason.teamId),
        decides: reason === decisive,
      })),
    };
  }

  private async titlesOf(
    callerId: string,
    organizationId: string,
    reasons: readonly Reason[],
  ): Promise<ReadonlyMap<string, { readonly id: string; readonly title: string }>> {
    const found = await Promise.all(
      REASON_THINGS.map(async (thing) => {
        const ids = [...new Set(reasons.filter((reason) => reason.thing === thing).map(({ thingId }) => thingId))];
        if (ids.length === 0) return [];
        return thing === 'organization'
          ? this.database.query<{ id: string; title: string }>(ORGANIZATION_TITLE, [organizationId])
          : this.database.query<{ id: string; title: string }>(this.grants.statementsOf({ kind: thing }).titles, [
              callerId,
              ids,
              organizationId,
            ]);
      }),
    );
    return new Map(found.flat().map((thing) => [thing.id, thing]));
  }
}
