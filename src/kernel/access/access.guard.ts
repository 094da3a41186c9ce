import { Injectable, type CanActivate, type ExecutionContext, type OnModuleInit } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { currentContext, type Caller } from '../common/context.js';
import { AlreadyAbsent, DomainError, notFound } from '../common/errors.js';
import { isId } from '../common/ids.js';
import { requestAddress } from '../common/ip-address.js';
import { Registry } from '../platform/manifest/registry.js';
import { ACCESS_POLICIES, type AccessPolicy, type AllowedOperation } from './access.points.js';
import { Access, requireWhole } from './access.service.js';
import {
  CAN,
  FOR_READERS,
  LEAVES_OUT_HIDDEN_PAGES,
  type NamedParameter,
  PUBLIC,
  type Resolved,
  type ResolvedRequest,
} from './access.decorators.js';
import type { ResourceKind } from '../platform/manifest/permission-definition.js';
import {
  permission,
  requirePermission,
  requireScope,
  resourceOf,
  roleAlone,
  type PermissionKey,
  type Rights,
} from './permissions.js';
import type { ReaderAccess } from './readers.js';
import { atLeast } from '../common/roles.js';

const NAMES: Readonly<Record<ResourceKind, string>> = {
  user: 'User',
  organization: 'Organization',
  collection: 'Collection',
  space: 'Space',
  site: 'Site',
};

/**
 * Closed by default: resolves the resource that the path names, once, and checks the declared permission and the
 * policies of external modules. Absent or invisible: 404 (204 for a DELETE of that very resource); visible without the
 * right: 403 that names the permission.
 */
@Injectable()
export class AccessGuard implements CanActivate, OnModuleInit {
  private policies: readonly AccessPolicy[] = [];

  constructor(
    private readonly reflector: Reflector,
    private readonly access: Access,
    private readonly registry: Registry,
    private readonly modules: ModuleRef,
  ) {}

  /** External modules are complete only after this guard is created. */
  onModuleInit(): void {
    this.policies = this.registry
      .contributionsTo(ACCESS_POLICIES)
      .map((policy) => this.modules.get(policy, { strict: false }));
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, handler)) return true;
    const key = this.reflector.getAllAndOverride<PermissionKey | undefined>(CAN, handler);
    const request = context.switchToHttp().getRequest<ResolvedRequest>();
    const resolved = request.access;
    if (!key || !resolved) throw new DomainError('forbidden', 'This operation declares no access');

    if (resolved.reader)
      return this.admitReader(
        request,
        resolved,
        resolved.reader,
        this.reflector.getAllAndOverride<NamedParameter | true | undefined>(FOR_READERS, handler),
      );
    requireScope(resolved.caller, key);
    const rights = await this.resolve(request, key, resolved);
    requirePermission(resolved.caller, key, rights);
    if (resolved.space && !this.reflector.getAllAndOverride<boolean>(LEAVES_OUT_HIDDEN_PAGES, handler))
      requireWhole(resolved.space);
    await this.askPolicies({
      caller: resolved.caller,
      permission: key,
      role: rights.role,
      parameters: request.params as Record<string, string>,
    });
    noteOrganization(resolved);
    return true;
  }

  private async askPolicies(operation: AllowedOperation): Promise<void> {
    for (const policy of this.policies) {
      const refusal = await policy.refusal(operation);
      if (refusal !== undefined) throw new DomainError('forbidden', refusal);
    }
  }

  /**
   * Grants readers of a site the operations that are open to them, on that site, its current content and what that
   * names; everything else is refused or not found.
   */
  private async admitReader(
    request: ResolvedRequest,
    resolved: Resolved,
    reader: ReaderAccess,
    open: NamedParameter | true | undefined,
  ): Promise<true> {
    if (!open) throw new DomainError('forbidden', 'A reader token reads what its site shows now, and nothing else');
    const { organizationId, spaceId, siteId, changeRequestId, revisionId } = request.params as Record<
      string,
      string | undefined
    >;
    if (changeRequestId !== undefined) throw notFound('Change request');
    if (open !== true) await this.admitToNamed(request, resolved, reader, open);
    else if (spaceId !== undefined) {
      const space = found(request, 'space', spaceId, reader.space(spaceId));
      if (revisionId !== undefined && revisionId !== space.revisionId) throw notFound('Revision');
      resolved.space = space;
    } else
      resolved.site = found(
        request,
        'site',
        siteId,
        reader.site.id === siteId && reader.site.organizationId === organizationId ? reader.site : undefined,
      );
    return true;
  }

  /** Grants readers what content that they see names, in the organization of their site. */
  private async admitToNamed(
    { params }: ResolvedRequest,
    resolved: Resolved,
    reader: ReaderAccess,
    { kind, parameter }: NamedParameter,
  ): Promise<void> {
    const { organizationId } = params;
    const { site } = reader;
    if (organizationId !== undefined && organizationId !== site.organizationId) throw notFound('Organization');
    if (!(await reader.names(kind, String(params[parameter]))))
      throw notFound(kind === 'user' ? 'User' : 'Specification');
    // It sees no more of people than guests do.
    resolved.organization = { id: site.organizationId, ...roleAlone('read'), guestId: '' };
  }

  private async resolve(request: ResolvedRequest, key: PermissionKey, resolved: Resolved): Promise<Rights> {
    const kind = resourceOf(key);
    const inTrash = permission(key).inTrash === true;
    const { caller } = resolved;
    const { organizationId, collectionId, spaceId, siteId } = request.params as Record<string, string | undefined>;
    if (kind === 'user') return this.onUser(caller, key);
    if (organizationId !== undefined) {
      if (!resolved.organization) await this.explain(caller, organizationId);
      resolved.organization = found(request, 'organization', organizationId, resolved.organization);
      if (kind === 'organization' && siteId === undefined) return resolved.organization;
    }
    if (kind === 'site' || kind === 'organization') {
      resolved.site = found(
        request,
        'site',
        siteId,
        await lookup(siteId, (id) => this.access.site(caller, organizationId ?? '', id)),
      );
      // Operations on a site may need a permission in the organization.
      return kind === 'site' ? resolved.site : (resolved.organization ?? resolved.site);
    }
    if (kind === 'collection') {
      resolved.collection = found(
        request,
        'collection',
        collectionId,
        await lookup(collectionId, (id) => this.access.collection(caller, id)),
      );
      return roleAlone(resolved.collection.role);
    }
    const { space } = resolved;
    const visible =
      space && (space.deletedAt === null || (inTrash && atLeast(space.role, 'create'))) ? space : undefined;
    resolved.space = found(request, 'space', spaceId, visible);
    return resolved.space;
  }

  /** Tells members why they do not see their organization. */
  private async explain(caller: Caller, organizationId: string): Promise<void> {
    const reason = await lookup(organizationId, (id) => this.access.refusal(caller, id));
    if (reason === 'login')
      throw new DomainError(
        'forbidden',
        `This organization requires single sign-on: GET /v1/orgs/${organizationId}/sso lists the login options`,
      );
    if (reason === 'address')
      throw new DomainError('forbidden', `This organization lets in no requests from ${requestAddress() ?? ''}`);
  }

  /** A token limited to one organization reaches little of its own user, and nothing else outside that organization. */
  private onUser({ organizationId }: Caller, key: PermissionKey): Rights {
    if (organizationId === undefined || permission(key).whenLimited) return roleAlone('admin');
    throw notFound('User');
  }
}

function noteOrganization({ organization, collection, space, site }: Resolved): void {
  const id = organization?.id ?? (space ?? collection ?? site)?.organizationId;
  const ambient = currentContext();
  if (ambient && id !== undefined) ambient.organizationId = id;
}

function lookup<T>(id: string | undefined, find: (id: string) => Promise<T | undefined>): Promise<T | undefined> {
  return isId(id) ? find(id) : Promise.resolve(undefined);
}

function found<T>(request: ResolvedRequest, kind: ResourceKind, id: string | undefined, resource: T | undefined): T {
  if (resource !== undefined) return resource;
  if (request.method === 'DELETE' && id !== undefined && request.path.endsWith(`/${id}`)) throw new AlreadyAbsent();
  throw notFound(NAMES[kind]);
}
