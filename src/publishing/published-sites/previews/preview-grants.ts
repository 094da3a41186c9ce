import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/common/context.js';
import type { ClaimsInParameter } from '../claims-parameter.js';
import { VisitorTokens } from '../visitor-tokens.js';
import type { PreviewGrant } from './previewed-request.js';

const PREVIEW_SECONDS = 3600;

/** Signs and reads what previews of change requests show to whom. */
@Injectable()
export class PreviewGrants {
  constructor(private readonly tokens: VisitorTokens) {}

  /** A signed address for the content that a caller asks to see, valid for an hour. */
  grant(
    { userId, organizationId: limitedTo }: Caller,
    asked: Pick<PreviewGrant, 'organizationId' | 'spaceId' | 'requestId' | 'siteId'>,
    claims: ClaimsInParameter,
  ): PreviewGrant {
    return {
      ...asked,
      memberId: userId,
      isLimited: limitedTo !== undefined,
      signed: claims.signed,
      unsigned: claims.unsigned,
      until: this.tokens.after(PREVIEW_SECONDS),
    };
  }

  sign({ memberId, until, ...facts }: PreviewGrant): Promise<string> {
    return this.tokens.sign('request-preview', { sub: memberId, ...facts }, until);
  }

  /** The grant in a token; undefined if it is not genuine, for another use, or over. */
  async read(token: string): Promise<PreviewGrant | undefined> {
    const found = await this.tokens.readOwn('request-preview', token);
    if (!found) return undefined;
    const { sub, isLimited, organizationId, spaceId, requestId, siteId, signed, unsigned } = found.claims as {
      readonly sub: string;
    } & Omit<PreviewGrant, 'memberId' | 'until'>;
    return {
      memberId: sub,
      isLimited,
      organizationId,
      spaceId,
      requestId,
      siteId,
      signed,
      unsigned,
      until: found.until,
    };
  }
}
