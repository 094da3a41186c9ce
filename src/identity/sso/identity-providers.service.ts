import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { storedLevel } from '../../kernel/common/roles.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { isId, newId } from '../../kernel/common/ids.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { Members } from '../organizations/members.service.js';
import { changesOf, type Change } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Teams } from '../teams/teams.service.js';
import { Tokens } from '../users/tokens.service.js';
import type { WaysInQuery } from './providers.schema.js';
import { IdentityProvider } from './identity-provider.entity.js';
import type {
  CompleteProvider,
  Protocol,
  ProviderChanges,
  ProviderForCaller,
  ProviderRow,
  Settings,
  LoginOption,
  WayIn,
} from './protocol.js';

/** Per protocol. */
const MAX_PROVIDERS = 20;
/** Login options that are listed for an e-mail domain. */
const WAYS_SHOWN = 50;

const COLUMNS = `p.id, p.protocol, p.organization_id AS "organizationId", p.label, p.default_team_id AS "defaultTeamId", p.default_role AS "defaultRole", p.status, p.version, p.created_at AS "createdAt"`;
/** The condition that all settings for a login are present. */
const complete = (alias: string): string =>
  `(num_nulls(${alias}.entity_id, ${alias}.certificate, ${alias}.sso_url) = 0 OR num_nulls(${alias}.issuer, ${alias}.client_id, ${alias}.client_secret) = 0)`;
const COMPLETE = complete('p');

/**
 * A provider through which people have logged in can only be replaced by another one through which people have logged
 * in too.
 */
const LAST_WAY_IN = `SELECT FROM organization o JOIN identity_provider gone ON gone.organization_id = o.id AND gone.id = $2 AND ${complete('gone')}
  WHERE o.id = $1 AND o.sso AND NOT EXISTS (
    SELECT FROM identity_provider p WHERE p.organization_id = $1 AND p.id <> $2 AND ${COMPLETE} AND (p.status = 'active' OR gone.status = 'pending'))`;

/** Ends the logins and test logins that are under way. */
const END_LOGINS =
  'WITH tests AS (DELETE FROM login_test WHERE organization_id = $2 AND provider_id = $1) DELETE FROM login_request WHERE provider_id = $1';

/** The identity providers of organizations, for all protocols. */
@Injectable()
export class IdentityProviders {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly members: Members,
    private readonly teams: Teams,
    private readonly outbox: Outbox,
    private readonly tokens: Tokens,
  ) {}

  /** The providers of an organization by one protocol, latest first. */
  async list<Complete>(
    protocol: Protocol<Complete, never>,
    callerId: string,
    organization: OrganizationAccess,
    request: PageRequest,
  ): Promise<Page<ProviderForCaller<Complete>>> {
    const page = await this.pages.list<ProviderRow<Complete> & Record<string, unknown>>(request, {
      scope: [`${protocol.name}-providers`, organization.id],
      select: columnsOf(protocol),
      from: 'FROM identity_provider p WHERE p.organization_id = $1 AND p.protocol = $2',
      values: [organization.id, protocol.name],
      order: [
        { expression: 'p.created_at', type: 'timestamptz' },
        { expression: 'p.id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.with(await this.withTeams<Complete>(callerId, organization, page.items));
  }

  async get<Complete>(
    protocol: Protocol<Complete, never>,
    callerId: string,
    organization: OrganizationAccess,
    id: string,
  ): Promise<ProviderForCaller<Complete>> {
    const row = await this.database.one<ProviderRow<Complete> & Record<string, unknown>>(
      `SELECT ${columnsOf(protocol)} FROM identity_provider p WHERE p.protocol = $1 AND p.organization_id = $2 AND p.id = $3`,
      [protocol.name, organization.id, id],
    );
    const [provider] = row ? await this.withTeams<Complete>(callerId, organization, [row]) : [];
    if (!provider) throw notFound('Identity provider');
    return provider;
  }

  /** Adds a provider. Throws `invalid` for settings with which no login can work, `conflict` for too many providers. */
  async create<Complete, Changes extends ProviderChanges>(
    protocol: Protocol<Complete, Changes>,
    callerId: string,
    organization: OrganizationAccess,
    wanted: Changes & { readonly label: string },
  ): Promise<ProviderForCaller<Complete>> {
    await protocol.check(wanted);
    const now = this.clock.now();
    const id = newId(now.getTime());
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organization.id);
      const held = await this.database.one<{ count: number }>(
        'SELECT count(*)::int AS count FROM identity_provider WHERE organization_id = $1 AND protocol = $2',
        [organization.id, protocol.name],
      );
      if ((held?.count ?? 0) >= MAX_PROVIDERS)
        throw new DomainError(
          'conflict',
          `An organization has ${MAX_PROVIDERS} identity providers of each protocol at most`,
        );
      const nothing = { label: '', defaultTeamId: null, defaultRole: 'none', ...protocol.empty } as const;
      const made = {
        ...(await this.commonAfter(organization.id, nothing, wanted)),
        ...protocol.settingsAfter(protocol.empty, wanted),
      };
      const settings = Object.entries<string>(settingsOf(protocol));
      await this.database.execute(
        `INSERT INTO identity_provider (id, organization_id, protocol, created_at, ${settings.map(([, column]) => column).join(', ')})
         VALUES ($1, $2, $3, $4, ${settings.map((_, at) => `$${at + 5}`).join(', ')})`,
        [id, organization.id, protocol.name, now, ...settings.map(([name]) => made[name as keyof typeof made])],
      );
      await this.outbox.record({
        type: `${protocol.name}_provider_created`,
        organizationId: organization.id,
        target: id,
        audit: { label: made.label, changes: changesBetween(protocol, nothing, made) },
      });
    });
    return this.get(protocol, callerId, organization, id);
  }

  /**
   * Changes the given fields. A provider whose protocol settings change is pending again, until a person logs in, and
   * pending logins with the previous settings end.
   */
  async update<Complete, Changes extends ProviderChanges>(
    protocol: Protocol<Complete, Changes>,
    callerId: string,
    organization: OrganizationAccess,
    id: string,
    changes: Changes,
  ): Promise<ProviderForCaller<Complete>> {
    await protocol.check(changes);
    await this.database.transaction(async () => {
      const before = await this.lock(protocol, callerId, organization.id, id);
      if (!before) throw notFound('Identity provider');
      requireMatch(before.version);
      const next = {
        ...(await this.commonAfter(organization.id, before, changes)),
        ...protocol.settingsAfter(before, changes),
      };
      const settings = Object.entries<string>(settingsOf(protocol)).map(
        ([name, column]) => [name as keyof typeof next, column] as const,
      );
      const fields = settings.map(([name]) => name).filter((name) => next[name] !== before[name]);
      if (fields.length === 0) return;
      const speaksOtherwise = fields.some((field) => Object.hasOwn(protocol.columns, field));
      await this.database.execute(
        `UPDATE identity_provider SET ${settings.map(([, column], at) => `${column} = $${at + 3}`).join(', ')},
           status = CASE WHEN $2 THEN 'pending' ELSE status END, version = version + 1 WHERE id = $1`,
        [id, speaksOtherwise, ...settings.map(([name]) => next[name])],
      );
      if (speaksOtherwise) await this.database.execute(END_LOGINS, [id, organization.id]);
      const names = fields.map(String);
      await this.outbox.record({
        type: `${protocol.name}_provider_updated`,
        organizationId: organization.id,
        target: id,
        payload: { fields: names.map(nameOf) },
        audit: { label: next.label, changes: changesBetween(protocol, before, next) },
      });
    });
    return this.get(protocol, callerId, organization, id);
  }

  /**
   * Removes a provider, with the tokens of logins through it. Throws `conflict` for the last usable provider while
   * single sign-on is enforced: if all administrators log in through it, nobody could enter the organization.
   */
  async remove<Complete>(
    protocol: Protocol<Complete, never>,
    callerId: string,
    organizationId: string,
    id: string,
  ): Promise<void> {
    await this.database.transaction(async () => {
      const provider = await this.lock(protocol, callerId, organizationId, id);
      if (!provider) return;
      requireMatch(provider.version);
      if (await this.database.one(LAST_WAY_IN, [organizationId, id]))
        throw new DomainError(
          'conflict',
          'This is the last way to log in while single sign-on is enforced: set `sso` of the organization to false first',
        );
      const logins = await this.database.query<{ tokenId: string }>(
        'SELECT token_id AS "tokenId" FROM login_token WHERE provider_id = $1',
        [id],
      );
      const endedTokens = await this.tokens.end(logins.map(({ tokenId }) => tokenId));
      await this.database.of(IdentityProvider).delete({ id });
      await this.outbox.record({
        type: `${protocol.name}_provider_deleted`,
        organizationId,
        target: id,
        payload: { endedTokens },
        audit: { label: provider.label },
      });
    });
  }

  /** The login options of an organization, oldest first, for everybody who knows its id. */
  async waysIn(organizationId: string): Promise<LoginOption[]> {
    const rows = await this.database.query<LoginOption | { readonly id: null }>(
      `SELECT p.id, p.protocol, p.label FROM organization o LEFT JOIN identity_provider p ON p.organization_id = o.id AND ${COMPLETE}
        WHERE o.id = $1 ORDER BY p.created_at, p.id`,
      [organizationId],
    );
    if (rows.length === 0) throw notFound('Organization');
    return rows.flatMap((row) => (row.id === null ? [] : [row]));
  }

  /**
   * The login options of one organization, or of those that admit an e-mail domain, for everybody. An address says
   * nothing about accounts: only its domain counts. Throws `invalid` unless one of both is given.
   */
  async waysInFor({ email, organization }: WaysInQuery): Promise<WayIn[]> {
    if ((email === undefined) === (organization === undefined))
      throw invalid(email === undefined ? 'email' : 'organization', 'give one of email and organization');
    const [condition, value] =
      email === undefined
        ? ['o.id = $1', organization]
        : ['o.email_domains @> ARRAY[$1]::text[]', email.slice(email.lastIndexOf('@') + 1).toLowerCase()];
    return this.database.query<WayIn & Record<string, unknown>>(
      `SELECT p.id, p.protocol, p.label, o.id AS "organizationId", o.title AS "organizationTitle"
         FROM organization o JOIN identity_provider p ON p.organization_id = o.id AND ${COMPLETE}
        WHERE ${condition} ORDER BY o.created_at, o.id, p.created_at, p.id LIMIT ${WAYS_SHOWN}`,
      [value],
    );
  }

  /** Returns a provider for a login. Throws `notFound`, and `conflict` if settings are missing. */
  async forLogin<Complete>(protocol: Protocol<Complete, never>, id: string): Promise<CompleteProvider<Complete>> {
    const row = isId(id)
      ? await this.database.one<RowForLogin<Complete> & Record<string, unknown>>(
          `SELECT ${columnsOf(protocol)}, ${COMPLETE} AS "isComplete" FROM identity_provider p WHERE p.protocol = $1 AND p.id = $2`,
          [protocol.name, id],
        )
      : undefined;
    if (!row) throw notFound('Identity provider');
    if (!row.isComplete)
      throw new DomainError(
        'conflict',
        'This identity provider is not set up yet: an administrator has to give the rest of its settings',
      );
    return row;
  }

  private async lock<Complete>(
    protocol: Protocol<Complete, never>,
    callerId: string,
    organizationId: string,
    id: string,
  ): Promise<ProviderRow<Complete> | undefined> {
    await this.members.lockAsAdmin(callerId, organizationId);
    return this.database.one<ProviderRow<Complete> & Record<string, unknown>>(
      `SELECT ${columnsOf(protocol)} FROM identity_provider p WHERE p.protocol = $1 AND p.organization_id = $2 AND p.id = $3 FOR NO KEY UPDATE`,
      [protocol.name, organizationId, id],
    );
  }

  private async commonAfter(
    organizationId: string,
    before: CommonSettings,
    { label, defaultTeam, defaultRole }: ProviderChanges,
  ): Promise<CommonSettings> {
    if (typeof defaultTeam === 'string') {
      const team = await this.database.one('SELECT FROM team WHERE organization_id = $1 AND id = $2 FOR KEY SHARE', [
        organizationId,
        defaultTeam,
      ]);
      if (!team) throw invalid('defaultTeam', 'is not a team of this organization');
    }
    return {
      label: label?.trim() ?? before.label,
      defaultTeamId: defaultTeam === undefined ? before.defaultTeamId : defaultTeam,
      defaultRole: defaultRole === undefined ? before.defaultRole : storedLevel(defaultRole),
    };
  }

  private async withTeams<Complete>(
    callerId: string,
    organization: OrganizationAccess,
    rows: readonly ProviderRow<Complete>[],
  ): Promise<ProviderForCaller<Complete>[]> {
    const ids = rows.flatMap(({ defaultTeamId }) => (defaultTeamId === null ? [] : [defaultTeamId]));
    const teams = new Map(
      (await this.teams.load(callerId, organization, [...new Set(ids)])).map((team) => [team.id, team]),
    );
    return rows.map((row) => ({ row, team: teams.get(row.defaultTeamId ?? '') }));
  }
}

type RowForLogin<Complete> =
  | (CompleteProvider<Complete> & { readonly isComplete: true })
  | (ProviderRow<Complete> & { readonly isComplete: false });
type CommonSettings = Pick<ProviderRow<unknown>, 'label' | 'defaultTeamId' | 'defaultRole'>;
const COMMON_SETTINGS = { label: 'label', defaultTeamId: 'default_team_id', defaultRole: 'default_role' } as const;

/** All settings of the providers of a protocol, with their columns. */
function settingsOf<Complete>(protocol: Protocol<Complete, never>): Readonly<Record<string, string>> {
  return { ...COMMON_SETTINGS, ...protocol.columns };
}

function columnsOf<Complete>(protocol: Protocol<Complete, never>): string {
  return [
    COLUMNS,
    ...Object.entries<string>(protocol.columns).map(([name, column]) => `p.${column} AS "${name}"`),
  ].join(', ');
}

/** The differing settings of a provider, as the audit log may contain them. */
function changesBetween<Complete>(
  protocol: Protocol<Complete, never>,
  before: CommonSettings & Settings<Complete>,
  after: CommonSettings & Settings<Complete>,
): Change[] {
  const told = (settings: CommonSettings & Settings<Complete>): Readonly<Record<string, unknown>> => ({
    label: settings.label,
    defaultTeam: settings.defaultTeamId,
    defaultRole: settings.defaultRole,
    ...protocol.told(settings),
  });
  return changesOf(told(before), told(after), Object.keys(told(after)));
}

/** The API name of a setting. */
function nameOf(setting: string): string {
  return setting === 'defaultTeamId' ? 'defaultTeam' : setting;
}
