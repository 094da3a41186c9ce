import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/context.js';
import type { SiteAccess, SpaceAccess } from './access.service.js';

/** What the bearer of a reader token reads: one published site, and of it what the claims in the token show. */
export interface ReaderAccess {
  readonly site: SiteAccess;
  /** A space that the site shows to the reader; undefined for every other one. */
  space(id: string): SpaceAccess | undefined;
}

/** Reader tokens are nobody's: whatever asks for the user behind one finds none. */
export const NO_USER: Caller = { userId: '', tokenId: '', organizationId: undefined, scopes: undefined };

/** Knows what reader tokens are and what they open now. */
interface ReaderTokens {
  isReaderToken(secret: string): boolean;
  /** Undefined for a token that is forged, over, or whose site, share link or key is not what it was. */
  accessOf(secret: string): Promise<ReaderAccess | undefined>;
}

/**
 * Where those who publish sites tell what reader tokens open: sites stand above the modules that check access. As long as
 * nobody does, there are none.
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
