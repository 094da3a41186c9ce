import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/context.js';
import type { SiteAccess, SpaceAccess } from './access.service.js';

/**
 * Kinds of things outside of the spaces of a site that its content can name: a user by id, a specification by slug, an
 * address elsewhere by itself.
 */
export type NamedKind = 'user' | 'openapi' | 'url';

/** The access of a reader token: one published site, and the part of it that the token's claims make visible. */
export interface ReaderAccess {
  readonly site: SiteAccess;
  /** The places of spaces in the site that it shows to the reader. */
  readonly siteSpaces: readonly { readonly siteSpaceId: string; readonly id: string }[];
  /** A space that the site shows to the reader; undefined for every other one. */
  space(id: string): SpaceAccess | undefined;
  /** True if content that the reader sees names a user or a specification, or refers to an address. */
  names(kind: NamedKind, target: string): Promise<boolean>;
}

/** Reader tokens belong to no user, so any look-up of their user finds nothing. */
export const NO_USER: Caller = { userId: '', tokenId: '', organizationId: undefined, scopes: undefined };

/** Resolves reader tokens to the access that they grant now. */
interface ReaderTokens {
  isReaderToken(secret: string): boolean;
  /** Undefined for a token that is forged or expired, or whose site, share link or key has changed. */
  accessOf(secret: string): Promise<ReaderAccess | undefined>;
}

/**
 * The publishing modules register the resolver of reader tokens here, because sites belong to a layer above the modules
 * that check access. Without a resolver there are no reader tokens.
 */
@Injectable()
export class Readers {
  private tokens: ReaderTokens | undefined;

  resolveBy(tokens: ReaderTokens): void {
    this.tokens = tokens;
  }

  isReaderToken(secret: string): boolean {
    return this.tokens?.isReaderToken(secret) ?? false;
  }

  accessOf(secret: string): Promise<ReaderAccess | undefined> {
    return this.tokens?.accessOf(secret) ?? Promise.resolve(undefined);
  }
}
