import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../access/access.service.js';
import { storedLevel } from '../access/roles.js';
import { Clock } from '../common/clock.js';
import { requireMatch } from '../common/context.js';
import { Database } from '../common/database.js';
import { DomainError, invalid, notFound } from '../common/errors.js';
import { newId } from '../common/ids.js';
import { Pages, type Page, type PageRequest } from '../common/page.js';
import { Members } from '../organizations/members.service.js';
import { Outbox } from '../platform/outbox.js';
import { Teams } from '../teams/teams.service.js';
import { certificateFault } from './domain/certificate.js';
import { ssoUrlFault } from './domain/web-addresses.js';
import type { CreateSamlProvider, SamlProviderForCaller, SamlProviderRow, UpdateSamlProvider } from './saml.schema.js';

const MAX_PROVIDERS = 20;

const COLUMNS = `p.id, p.organization_id AS "organizationId", p.label, p.entity_id AS "entityID", p.certificate, p.sso_url AS "ssoURL",
  p.default_team_id AS "defaultTeamId", p.default_role AS "defaultRole", p.status, p.version, p.created_at AS "createdAt"`;
/** Those with everything that a login needs. */
const COMPLETE = 'p.entity_id IS NOT NULL AND p.certificate IS NOT NULL AND p.sso_url IS NOT NULL';

type Settings = Pick<SamlProviderRow, 'label' | 'entityID' | 'certificate' | 'ssoURL' | 'defaultTeamId' | 'defaultRole'>;
const SETTINGS = ['label', 'entityID', 'certificate', 'ssoURL', 'defaultTeamId', 'defaultRole'] as const;
const EMPTY: Settings = { label: '', entityID: null, certificate: null, ssoURL: null, defaultTeamId: null, defaultRole: 'none' };

/** A provider through which people can log in. */
export type CompleteProvider = SamlProviderRow & { readonly entityID: string; readonly certificate: string; readonly ssoURL: string };

/** The identity providers of organizations. */
@Injectable()
export class SamlProviders {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly members: Members,
    private readonly teams: Teams,
    private readonly outbox: Outbox,
  ) {}

  /** The providers of an organization, latest first. */
  async list(callerId: string, organization: OrganizationAccess, request: PageRequest): Promise<Page<SamlProviderForCaller>> {
    const page = await this.pages.list<SamlProviderRow & Record<string, unknown>>(request, {
      scope: ['saml-providers', organization.id],
      select: COLUMNS,
      from: 'FROM saml_provider p WHERE p.organization_id = $1',
      values: [organization.id],
      order: [
        { expression: 'p.created_at', type: 'timestamptz' },
        { expression: 'p.id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.with(await this.withTeams(callerId, organization, page.items));
  }

  async get(callerId: string, organization: OrganizationAccess, id: string): Promise<SamlProviderForCaller> {
    const row = await this.database.one<SamlProviderRow & Record<string, unknown>>(`SELECT ${COLUMNS} FROM saml_provider p WHERE p.organization_id = $1 AND p.id = $2`, [organization.id, id]);
    const [provider] = row ? await this.withTeams(callerId, organization, [row]) : [];
    if (!provider) throw notFound('SAML provider');
    return provider;
  }

  /** Adds a provider. Throws `invalid` for settings that no login can work with, `conflict` for too many providers. */
  async create(callerId: string, organization: OrganizationAccess, wanted: CreateSamlProvider): Promise<SamlProviderForCaller> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organization.id);
      const held = await this.database.one<{ count: number }>('SELECT count(*)::int AS count FROM saml_provider WHERE organization_id = $1', [organization.id]);
      if ((held?.count ?? 0) >= MAX_PROVIDERS) throw new DomainError('conflict', `An organization has ${MAX_PROVIDERS} identity providers at most`);
      const made = await this.settingsAfter(organization.id, EMPTY, wanted);
      await this.database.execute(
        `INSERT INTO saml_provider (id, organization_id, label, entity_id, certificate, sso_url, default_team_id, default_role, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [id, organization.id, made.label, made.entityID, made.certificate, made.ssoURL, made.defaultTeamId, made.defaultRole, now],
      );
      await this.outbox.record({ type: 'saml_provider_created', organizationId: organization.id, target: id });
    });
    return this.get(callerId, organization, id);
  }

  /** Changes what is given. With another name, certificate or address a provider is pending again, until somebody logs in. */
  async update(callerId: string, organization: OrganizationAccess, id: string, changes: UpdateSamlProvider): Promise<SamlProviderForCaller> {
    await this.database.transaction(async () => {
      const before = await this.lock(callerId, organization.id, id);
      if (!before) throw notFound('SAML provider');
      requireMatch(before.version);
      const next = await this.settingsAfter(organization.id, before, changes);
      const fields = SETTINGS.filter((field) => next[field] !== before[field]);
      if (fields.length === 0) return;
      const isOther = fields.some((field) => field === 'entityID' || field === 'certificate' || field === 'ssoURL');
      await this.database.execute(
        `UPDATE saml_provider SET label = $2, entity_id = $3, certificate = $4, sso_url = $5, default_team_id = $6, default_role = $7,
           status = CASE WHEN $8 THEN 'pending' ELSE status END, version = version + 1 WHERE id = $1`,
        [id, next.label, next.entityID, next.certificate, next.ssoURL, next.defaultTeamId, next.defaultRole, isOther],
      );
      const named = fields.map((field) => (field === 'defaultTeamId' ? 'defaultTeam' : field));
      await this.outbox.record({ type: 'saml_provider_updated', organizationId: organization.id, target: id, payload: { fields: named } });
    });
    return this.get(callerId, organization, id);
  }

  /** Removes a provider, with the tokens of those who logged in through it. */
  async remove(callerId: string, organizationId: string, id: string): Promise<void> {
    await this.database.transaction(async () => {
      const provider = await this.lock(callerId, organizationId, id);
      if (!provider) return;
      requireMatch(provider.version);
      await this.database.execute('DELETE FROM api_token t USING saml_token s WHERE s.provider_id = $1 AND t.id = s.token_id', [id]);
      await this.database.execute('DELETE FROM saml_provider WHERE id = $1', [id]);
      await this.outbox.record({ type: 'saml_provider_deleted', organizationId, target: id });
    });
  }

  /** The ways to log in to an organization, oldest first, for everybody who knows its id. */
  async logins(organizationId: string): Promise<{ readonly id: string; readonly label: string }[]> {
    const rows = await this.database.query<{ id: string | null; label: string }>(
      `SELECT p.id, p.label FROM organization o LEFT JOIN saml_provider p ON p.organization_id = o.id AND ${COMPLETE}
        WHERE o.id = $1 ORDER BY p.created_at, p.id`,
      [organizationId],
    );
    if (rows.length === 0) throw notFound('Organization');
    return rows.flatMap(({ id, label }) => (id === null ? [] : [{ id, label }]));
  }

  /** A provider that people log in through. Throws `notFound`, and `conflict` where something is still missing. */
  async forLogin(id: string): Promise<CompleteProvider> {
    const row = await this.database.one<SamlProviderRow & Record<string, unknown>>(`SELECT ${COLUMNS} FROM saml_provider p WHERE p.id = $1`, [id]);
    if (!row) throw notFound('Identity provider');
    const { entityID, certificate, ssoURL } = row;
    if (entityID === null || certificate === null || ssoURL === null) throw new DomainError('conflict', 'This identity provider is not set up yet: an administrator has to give its name, certificate and address');
    return { ...row, entityID, certificate, ssoURL };
  }

  private async lock(callerId: string, organizationId: string, id: string): Promise<SamlProviderRow | undefined> {
    await this.members.lockAsAdmin(callerId, organizationId);
    return this.database.one<SamlProviderRow & Record<string, unknown>>(`SELECT ${COLUMNS} FROM saml_provider p WHERE p.organization_id = $1 AND p.id = $2 FOR NO KEY UPDATE`, [organizationId, id]);
  }

  private async settingsAfter(organizationId: string, before: Settings, changes: UpdateSamlProvider): Promise<Settings> {
    const { label, entityID, certificate, ssoURL, defaultTeam, defaultRole } = changes;
    const urlFault = ssoURL === undefined ? undefined : ssoUrlFault(ssoURL);
    if (urlFault !== undefined) throw invalid('ssoURL', urlFault);
    const fault = certificate === undefined ? undefined : certificateFault(certificate, this.clock.now());
    if (fault !== undefined) throw invalid('certificate', fault);
    if (typeof defaultTeam === 'string') await this.requireTeam(organizationId, defaultTeam);
    return {
      label: label?.trim() ?? before.label,
      entityID: entityID ?? before.entityID,
      certificate: certificate?.trim() ?? before.certificate,
      ssoURL: ssoURL ?? before.ssoURL,
      defaultTeamId: defaultTeam === undefined ? before.defaultTeamId : defaultTeam,
      defaultRole: defaultRole === undefined ? before.defaultRole : storedLevel(defaultRole),
    };
  }

  private async requireTeam(organizationId: string, teamId: string): Promise<void> {
    const team = await this.database.one('SELECT FROM team WHERE organization_id = $1 AND id = $2 FOR KEY SHARE', [organizationId, teamId]);
    if (!team) throw invalid('defaultTeam', 'is not a team of this organization');
  }

  private async withTeams(callerId: string, organization: OrganizationAccess, rows: readonly SamlProviderRow[]): Promise<SamlProviderForCaller[]> {
    const ids = rows.flatMap(({ defaultTeamId }) => (defaultTeamId === null ? [] : [defaultTeamId]));
    const teams = new Map((await this.teams.load(callerId, organization, [...new Set(ids)])).map((team) => [team.id, team]));
    return rows.map((row) => ({ row, team: teams.get(row.defaultTeamId ?? '') }));
  }
}
