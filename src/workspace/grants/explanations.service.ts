import { Injectable } from '@nestjs/common';
import { Members } from '../../identity/organizations/members.service.js';
import { Teams } from '../../identity/teams/teams.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import type { AccessLevel } from '../../kernel/common/roles.js';
import type { Granted, GrantKind } from './grant-tables.js';
import { Grants } from './grants.service.js';
import { decisiveReason, inOrder, REASON_THINGS, type Explanation, type Reason, type ReasonThing } from './reasons.js';

const REASON_COLUMNS = 'r.place, r.rule, r.thing, r.thing_id AS "thingId", r.team_id AS "teamId", r.role';
const REASONS: Readonly<Record<GrantKind, string>> = {
  collection: `SELECT ${REASON_COLUMNS} FROM collection_reasons($1, $2) r`,
  space: `SELECT ${REASON_COLUMNS} FROM space_reasons($1, $2) r`,
  site: `SELECT ${REASON_COLUMNS} FROM site_reasons($1, $2) r`,
};
/** The role of the user `$1` on the object `$2`, and what custom roles add to it. */
const ROLE: Readonly<Record<GrantKind, string>> = {
  collection: `SELECT a.role, '{}'::text[] AS added FROM collection_access($1, ARRAY[$2]::text[]) a`,
  space: `SELECT a.role, space_additions($1, $2) AS added FROM space_access($1, ARRAY[$2]::text[]) a`,
  site: `SELECT a.role, site_additions($1, $2) AS added FROM site_access($1, ARRAY[$2]::text[]) a`,
};
/** The titles of those of the things `$2` (ids) that the user `$1` sees. */
const TITLES: Readonly<Record<Exclude<ReasonThing, 'organization'>, string>> = {
  collection: `SELECT c.id, c.title FROM collection c JOIN collection_access($1, $2) a ON a.collection_id = c.id WHERE a.role > 'none'`,
  space: `SELECT s.id, s.title FROM space s JOIN space_access($1, $2) a ON a.space_id = s.id WHERE a.role > 'none'`,
  site: `SELECT s.id, s.title FROM site s JOIN site_access($1, $2) a ON a.site_id = s.id WHERE a.role > 'none'`,
};
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
  async explain(caller: Caller, on: Granted, userId: string): Promise<Explanation> {
    const organization = await this.grants.requireInsider(caller, on.organizationId);
    const member = await this.members.get(caller.userId, organization, userId);
    const [held, reasons] = await Promise.all([
      this.database.one<{ role: AccessLevel; added: string[] }>(ROLE[on.kind], [userId, on.id]),
      this.database.query<Reason & Record<string, unknown>>(REASONS[on.kind], [userId, on.id]),
    ]);
    const ordered = inOrder(reasons, on.kind);
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
      REASON_THINGS.map((thing) => {
        const ids = [...new Set(reasons.filter((reason) => reason.thing === thing).map(({ thingId }) => thingId))];
        if (ids.length === 0) return [];
        return thing === 'organization'
          ? this.database.query<{ id: string; title: string }>(ORGANIZATION_TITLE, [organizationId])
          : this.database.query<{ id: string; title: string }>(TITLES[thing], [callerId, ids]);
      }),
    );
    return new Map(found.flat().map((thing) => [thing.id, thing]));
  }
}
