import { Injectable } from '@nestjs/common';
import { Access, type OrganizationAccess } from '../../kernel/access/access.service.js';
import { allows, requireHeld } from '../../kernel/access/permissions.js';
import { storedLevel, type AccessLevel } from '../../kernel/common/roles.js';
import { Collections } from '../collections/collections.service.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { hashSecret, Secrets } from '../../kernel/common/secrets.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Spaces } from '../spaces/spaces.service.js';
import { InviteLink } from './invite-link.entity.js';
import type { CreateInviteLink, InviteLinkForCaller, UpdateInviteLink } from './invites.schema.js';
import { newInviteSecret } from './invite-secrets.js';

/** The target of a link; without space and collection it is the organization itself. */
interface Target {
  readonly spaceId: string | null;
  readonly collectionId: string | null;
}

interface LinkRow extends Target {
  readonly id: string;
  readonly role: AccessLevel;
  readonly sealed: Buffer;
}

/** A link that admits people now. */
export interface OpenLink extends LinkRow {
  readonly organizationId: string;
}

const COLUMNS = 'l.id, l.space_id AS "spaceId", l.collection_id AS "collectionId", l.role, l.sealed';

/** Links by which anyone who has them can join an organization, or one space or collection of it. */
@Injectable()
export class InviteLinks {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly access: Access,
    private readonly outbox: Outbox,
    private readonly spaces: Spaces,
    private readonly collections: Collections,
  ) {}

  /** Lists the links to the organization itself, latest first. */
  async list(organization: OrganizationAccess, request: PageRequest): Promise<Page<InviteLinkForCaller>> {
    const page = await this.pages.list<LinkRow & Record<string, unknown>>(request, {
      scope: ['invite-links', organization.id],
      select: COLUMNS,
      from: 'FROM invite_link l WHERE l.organization_id = $1 AND l.space_id IS NULL AND l.collection_id IS NULL',
      values: [organization.id],
      order: [
        { expression: 'l.created_at', type: 'timestamptz' },
        { expression: 'l.id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.map(({ role, sealed }) => ({
      secret: this.secrets.decrypt(sealed),
      role,
      callerRole: organization.role,
    }));
  }

  /**
   * Creates a link. Throws `invalid` for objects of other organizations, `forbidden` without the permission to invite
   * there, `conflict` if links are disabled.
   */
  async create(caller: Caller, organizationId: string, body: CreateInviteLink): Promise<InviteLinkForCaller> {
    const { target, level } = targetOf(body);
    const made = newInviteSecret(this.secrets);
    const callerRole = await this.database.transaction(async () => {
      const organization = await this.database.one<{ inviteLinks: boolean }>(
        'SELECT invite_links AS "inviteLinks" FROM organization WHERE id = $1 FOR SHARE',
        [organizationId],
      );
      const role = await this.roleOn(caller, organizationId, target);
      if (role === undefined)
        throw invalid(target.spaceId === null ? 'collection' : 'space', 'does not belong to this organization');
      if (!mayInvite(target, role))
        throw new DomainError(
          'forbidden',
          `Requires the role ${target.spaceId === null && target.collectionId === null ? 'admin' : 'create'} there`,
        );
      requireHeld(role, level);
      if (!organization?.inviteLinks)
        throw new DomainError('conflict', 'Invite links are switched off in this organization');
      const id = newId();
      await this.database.of(InviteLink).insert({
        id,
        organizationId,
        spaceId: target.spaceId,
        collectionId: target.collectionId,
        role: level,
        hash: made.hash,
        sealed: made.sealed,
        createdBy: caller.userId,
        createdAt: this.clock.now(),
      });
      await this.outbox.record({
        type: 'invite_link_created',
        organizationId,
        spaceId: target.spaceId,
        target: id,
        payload: { role: level, collectionId: target.collectionId ?? undefined },
      });
      return role;
    });
    return this.present(caller, { ...target, role: level }, made.secret, callerRole);
  }

  /** Throws `notFound` for links that the caller could not have created. */
  async get(caller: Caller, organizationId: string, secret: string): Promise<InviteLinkForCaller> {
    const { row, callerRole } = await this.require(caller, organizationId, secret);
    return this.present(caller, row, secret, callerRole);
  }

  async update(
    caller: Caller,
    organizationId: string,
    secret: string,
    { role, level }: UpdateInviteLink,
  ): Promise<InviteLinkForCaller> {
    await this.database.transaction(async () => {
      const { row, callerRole } = await this.require(caller, organizationId, secret);
      const toOrganization = row.spaceId === null && row.collectionId === null;
      if (toOrganization ? level !== undefined : role !== undefined)
        throw invalid(
          toOrganization ? 'level' : 'role',
          `does not belong to a link of this kind: give ${toOrganization ? 'role' : 'level'}`,
        );
      const wanted = toOrganization ? role : level;
      if (wanted === undefined) return;
      requireHeld(callerRole, storedLevel(wanted));
      requireHeld(callerRole, row.role);
      const changed = await this.database.execute(
        'UPDATE invite_link SET role = $2, version = version + 1 WHERE id = $1 AND role <> $2',
        [row.id, storedLevel(wanted)],
      );
      if (changed > 0)
        await this.outbox.record({
          type: 'invite_link_updated',
          organizationId,
          spaceId: row.spaceId,
          target: row.id,
          payload: { role: storedLevel(wanted) },
          audit: { changes: [{ field: 'role', before: row.role, after: storedLevel(wanted) }] },
        });
    });
    return this.get(caller, organizationId, secret);
  }

  /** False if there is no such link for the caller. */
  async remove(caller: Caller, organizationId: string, secret: string): Promise<boolean> {
    return this.database.transaction(async () => {
      const found = await this.find(caller, organizationId, secret);
      if (!found) return false;
      requireHeld(found.callerRole, found.row.role);
      const { affected } = await this.database.of(InviteLink).delete({ id: found.row.id });
      if (affected)
        await this.outbox.record({
          type: 'invite_link_deleted',
          organizationId,
          spaceId: found.row.spaceId,
          target: found.row.id,
        });
      return true;
    });
  }

  /**
   * The current grant of a link, in the ambient transaction; undefined for unknown links and while links are disabled.
   */
  async redeemable(organizationId: string, secret: string): Promise<OpenLink | undefined> {
    const link = await this.openBy('secret', secret);
    return link?.organizationId === organizationId ? link : undefined;
  }

  /** The current grant of a link of any organization, by its secret or its id. */
  openBy(key: 'secret' | 'id', value: string): Promise<OpenLink | undefined> {
    return this.database.one<OpenLink & Record<string, unknown>>(
      `SELECT ${COLUMNS}, l.organization_id AS "organizationId" FROM invite_link l JOIN organization o ON o.id = l.organization_id
        WHERE ${key === 'secret' ? 'l.hash' : 'l.id'} = $1 AND o.invite_links
          AND NOT EXISTS (SELECT FROM space s WHERE s.id = l.space_id AND s.deleted_at IS NOT NULL) FOR SHARE OF l`,
      [key === 'secret' ? hashSecret(value) : value],
    );
  }

  private async require(
    caller: Caller,
    organizationId: string,
    secret: string,
  ): Promise<{ row: LinkRow; callerRole: AccessLevel }> {
    const found = await this.find(caller, organizationId, secret);
    if (!found) throw notFound('Invite');
    return found;
  }

  private async find(
    caller: Caller,
    organizationId: string,
    secret: string,
  ): Promise<{ row: LinkRow; callerRole: AccessLevel } | undefined> {
    const row = await this.database.one<LinkRow & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM invite_link l WHERE l.organization_id = $1 AND l.hash = $2`,
      [organizationId, hashSecret(secret)],
    );
    const callerRole = row && (await this.roleOn(caller, organizationId, row));
    return row && callerRole && mayInvite(row, callerRole) ? { row, callerRole } : undefined;
  }

  /** The caller's role on the target of a link; undefined if that is absent, foreign or invisible, and for guests. */
  private async roleOn(
    caller: Caller,
    organizationId: string,
    { spaceId, collectionId }: Target,
  ): Promise<AccessLevel | undefined> {
    const organization = await this.access.organization(caller, organizationId);
    if (!organization || organization.role === 'none') return undefined;
    if (spaceId !== null) {
      const space = await this.access.space(caller, spaceId);
      return space?.organizationId === organizationId && space.deletedAt === null ? space.role : undefined;
    }
    if (collectionId === null) return organization.role;
    const collection = await this.access.collection(caller, collectionId);
    return collection?.organizationId === organizationId ? collection.role : undefined;
  }

  private async present(
    { userId }: Caller,
    { spaceId, collectionId, role }: Target & { role: AccessLevel },
    secret: string,
    callerRole: AccessLevel,
  ): Promise<InviteLinkForCaller> {
    return {
      secret,
      role,
      callerRole,
      ...(spaceId !== null && { space: await this.spaces.get(userId, spaceId) }),
      ...(collectionId !== null && { collection: await this.collections.get(userId, collectionId) }),
    };
  }
}

function mayInvite({ spaceId, collectionId }: Target, role: AccessLevel): boolean {
  if (spaceId !== null) return allows('space:viewInviteLinks', role);
  return allows(collectionId === null ? 'organization:manageMembers' : 'collection:viewInviteLinks', role);
}

/** The target in a body; throws `invalid` unless it is exactly one of the three kinds. */
function targetOf({ role, level, space, collection }: CreateInviteLink): { target: Target; level: AccessLevel } {
  if (space !== undefined && collection !== undefined)
    throw invalid('collection', 'cannot be given together with space');
  if (space === undefined && collection === undefined) {
    if (role === undefined) throw invalid('role', 'is needed, or level with space or collection');
    if (level !== undefined) throw invalid('level', 'needs space or collection');
    return { target: { spaceId: null, collectionId: null }, level: storedLevel(role) };
  }
  if (role !== undefined) throw invalid('role', 'cannot be given together with space or collection: give level');
  if (level === undefined) throw invalid('level', 'is needed with space or collection');
  return { target: { spaceId: space ?? null, collectionId: collection ?? null }, level: storedLevel(level) };
}
