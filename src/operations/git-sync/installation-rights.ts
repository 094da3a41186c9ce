import { Injectable } from '@nestjs/common';
import { Access, requireWhole, type SpaceAccess } from '../../kernel/access/access.service.js';
import { allows, requirePermission } from '../../kernel/access/permissions.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { SiteLock } from '../../publishing/sites/site-lock.js';
import type { SiteForCaller } from '../../publishing/sites/sites.schema.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import { GitInstallation } from './git-installation.entity.js';
import type { GitInstallationRow } from './git-installations.schema.js';

const COLUMNS = `g.id, g.space_id AS "spaceId", g.parent_id AS "parentId",
  coalesce(g.site_id, (SELECT p.site_id FROM git_installation p WHERE p.id = g.parent_id)) AS "siteId", g.provider, g.url, g.ref, g.directory,
  g.server_url AS "serverUrl", g.repository_id AS "repositoryId",
  g.commit_message AS "commitMessage", g.squash, g.preview_external_branches AS "previewExternalBranches", g.deploy_key AS "deployKey", g.app_id AS "appId",
  g.app_installation_id AS "appInstallationId", g.is_refused AS "isRefused",
  g.host_key AS "hostKey", g.priority, g.failure, g.change_request_id AS "changeRequestId", g.due_at AS "dueAt",
  g.created_by AS "createdBy", g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;

type Row = GitInstallationRow & Record<string, unknown>;

/** That of a site. */
export type SiteInstallationRow = GitInstallationRow & { readonly siteId: string; readonly spaceId: null };
/** That of a space. */
export type SpaceInstallationRow = GitInstallationRow & { readonly spaceId: string };

export function isOfSite(row: GitInstallationRow): row is SiteInstallationRow {
  return row.spaceId === null;
}

/** Finds installations for those who may see and change them, and holds their rights while something is changed. */
@Injectable()
export class InstallationRights {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly spaces: Spaces,
    private readonly siteLock: SiteLock,
  ) {}

  async find(caller: Caller, id: string): Promise<SiteInstallationRow | SpaceInstallationRow> {
    const row = await this.seen(caller, id);
    if (!row) throw notFound('Git installation');
    return row;
  }

  /** Undefined for one of a space or a site that the caller does not see; throws `forbidden` without the permission. */
  async seen(caller: Caller, id: string): Promise<SiteInstallationRow | SpaceInstallationRow | undefined> {
    const row = await this.database.one<Row>(`SELECT ${COLUMNS} FROM git_installation g WHERE g.id = $1`, [id]);
    if (!row) return undefined;
    if (isOfSite(row)) {
      const organizationId = await this.organizationOf(row.siteId);
      const site =
        organizationId === undefined ? undefined : await this.access.site(caller, organizationId, row.siteId);
      if (!site) return undefined;
      if (!allows('site:admin', site)) throw new DomainError('forbidden', 'Requires the permission site:admin');
      return row;
    }
    const { spaceId } = row;
    const space = spaceId === null ? undefined : await this.access.space(caller, spaceId);
    if (spaceId === null || !space || space.deletedAt !== null) return undefined;
    requirePermission(caller, 'space:syncGit', space);
    requireWhole(space);
    return { ...row, spaceId };
  }

  /** Runs a change while the caller keeps the right to it and the space stays where it is. */
  async change<Result>(
    caller: Caller,
    spaceId: string,
    work: (space: SpaceAccess) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(async () => {
      const organizationId = await this.spaces.holdMembership(caller, spaceId);
      if (organizationId !== undefined) await this.spaces.lock(spaceId, { organizationId });
      const space = await this.access.requireSpace(caller, spaceId, 'space:syncGit');
      requireWhole(space);
      return work(space);
    });
  }

  /** The same for a site. Throws `notFound` for one that the caller does not see. */
  async changeSite<Result>(
    caller: Caller,
    siteId: string,
    work: (site: SiteForCaller) => Promise<Result>,
  ): Promise<Result> {
    const organizationId = await this.organizationOf(siteId);
    if (organizationId === undefined) throw notFound('Site');
    return this.siteLock.hold(caller, { id: siteId, organizationId }, 'site:admin', work);
  }

  async lock(id: string): Promise<GitInstallation> {
    const found = await this.database
      .of(GitInstallation)
      .findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!found) throw notFound('Git installation');
    return found;
  }

  async row(id: string): Promise<GitInstallationRow> {
    const row = await this.database.one<Row>(`SELECT ${COLUMNS} FROM git_installation g WHERE g.id = $1`, [id]);
    if (!row) throw notFound('Git installation');
    return row;
  }

  /** The installation of a site, those of its spaces that belong to it, and their own ones that the caller may change. */
  ofSite(caller: Caller, siteId: string): Promise<Row[]> {
    return this.database.query<Row>(
      `WITH shown AS (SELECT ss.space_id AS id FROM site_space ss JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL WHERE ss.site_id = $2)
       SELECT ${COLUMNS} FROM git_installation g LEFT JOIN space_access($1, ARRAY(SELECT id FROM shown)) a ON a.space_id = g.space_id
        WHERE g.site_id = $2 OR g.parent_id = (SELECT p.id FROM git_installation p WHERE p.site_id = $2)
           OR g.space_id IN (SELECT id FROM shown) AND a.role >= 'create' ORDER BY g.space_id IS NOT NULL, g.id`,
      [caller.userId, siteId],
    );
  }

  private async organizationOf(siteId: string): Promise<string | undefined> {
    const row = await this.database.one<{ organizationId: string }>(
      'SELECT organization_id AS "organizationId" FROM site WHERE id = $1',
      [siteId],
    );
    return row?.organizationId;
  }
}
