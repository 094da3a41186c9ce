import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Caller } from '../common/context.js';
import type { PermissionKey } from './permissions.js';
import type { NamedKind, ReaderAccess } from './readers.js';
import type { CollectionAccess, OrganizationAccess, SiteAccess, SpaceAccess } from './access.service.js';

export const CAN = Symbol('permission');
export const PUBLIC = Symbol('public');
export const FOR_READERS = Symbol('for readers');
export const LEAVES_OUT_HIDDEN_PAGES = Symbol('leaves out hidden pages');

/**
 * The caller of a request, and each resource that the path names and the caller can see, as the guards resolved them.
 */
export interface Resolved {
  readonly caller: Caller;
  /** Set for a reader token, which belongs to no user. */
  readonly reader?: ReaderAccess;
  organization?: OrganizationAccess;
  collection?: CollectionAccess;
  space?: SpaceAccess;
  site?: SiteAccess;
}

export type ResolvedRequest = Request & { access?: Resolved };

/** The member of published operations that names the required permission. */
export const PERMISSION_EXTENSION = 'x-permission';

/** Declares what the caller needs; a handler without `Can` or `Public` is closed. */
export const Can = (key: PermissionKey) =>
  applyDecorators(SetMetadata(CAN, key), ApiExtension(PERMISSION_EXTENSION, key));

/** Opens a handler to requests without a token. */
export const Public = () => SetMetadata(PUBLIC, true);

/** The parameter of a path with something that readers see where content of their site names it. */
export interface NamedParameter {
  readonly kind: NamedKind;
  readonly parameter: string;
}

/**
 * Opens a handler to reader tokens of published sites as well, for reads of a site's current content and of what that
 * content names. The handler must return nothing else to them, and its reads of a space must follow `SpaceAccess.reader`.
 */
export const ForReaders = (named: NamedParameter | true = true) => SetMetadata(FOR_READERS, named);

/**
 * Opens a handler to callers from whom pages of the space in its path are hidden. The handler must neither show nor change
 * anything of these pages: its reads follow `SpaceAccess.hiddenPages`. All other operations below a space are refused to
 * them.
 */
export const LeavesOutHiddenPages = () => SetMetadata(LEAVES_OUT_HIDDEN_PAGES, true);

function resolvedPart<Key extends keyof Resolved>(key: Key) {
  return createParamDecorator((_: unknown, context: ExecutionContext): NonNullable<Resolved[Key]> => {
    const part = context.switchToHttp().getRequest<ResolvedRequest>().access?.[key];
    if (part === undefined) throw new Error(`the path of ${context.getHandler().name} names no ${key}`);
    return part;
  });
}

/** The authenticated caller. */
export const ByCaller = resolvedPart('caller');
/** The organization that the path names, with the caller's role in it. */
export const InOrganization = resolvedPart('organization');
/** The collection that the path names, with the caller's role on it. */
export const InCollection = resolvedPart('collection');
/** The space that the path names, with the caller's role on it. */
export const InSpace = resolvedPart('space');
/** The site that the path names, with the caller's role on it. */
export const InSite = resolvedPart('site');
/** The access that a reader token grants; undefined for every other caller. */
export const ByReader = createParamDecorator(
  (_: unknown, context: ExecutionContext): ReaderAccess | undefined =>
    context.switchToHttp().getRequest<ResolvedRequest>().access?.reader,
);
