import { Injectable } from '@nestjs/common';
import { Access, type SpaceAccess } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { ContentLines, primaryPoint } from '../content/content-lines.js';
import { ContentStore } from '../content/content-store.js';
import { PageVerification } from './page-verification.entity.js';
import { PageVerificationReader } from './page-verification-reader.js';
import type { PageVerificationBody, VerifyPage } from './page-verifications.schema.js';

/** The member `$4` of the organization `$1`, if they see the page `$3` of the space `$2`. */
const USER_OWNER = `SELECT m.user_id AS id FROM member m CROSS JOIN LATERAL space_access(m.user_id, ARRAY[$2::text]) a
  WHERE m.organization_id = $1 AND m.user_id = $4 AND NOT m.disabled AND a.role > 'none' AND sees_page($2, hidden_pages($4, $2), '', $3) FOR KEY SHARE OF m`;
const TEAM_OWNER = 'SELECT id FROM team WHERE organization_id = $1 AND id = $2 FOR KEY SHARE';
const NO_OWNER = {
  user: 'is not a member of the organization who sees the page',
  team: 'is not a team of the organization',
} as const;

/** Verifies the page `$2` of the space `$1`, again or for the first time. */
const VERIFY = `INSERT INTO page_verification (space_id, page_id, user_id, team_id, until, note, verified_by, verified_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (space_id, page_id) DO UPDATE SET user_id = excluded.user_id, team_id = excluded.team_id, until = excluded.until, note = excluded.note,
    verified_by = excluded.verified_by, verified_at = excluded.verified_at, told_at = NULL`;

/** Says until when pages are held to be true, and who answers for them. */
@Injectable()
export class PageVerifications {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly outbox: Outbox,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly reader: PageVerificationReader,
  ) {}

  /**
   * Verifies a page with a document of the current content, again or for the first time. Throws `notFound` for any other
   * page, `invalid` for an owner who does not see the page and for a time that has passed.
   */
  async verify(
    caller: Caller,
    { id: spaceId, organizationId }: SpaceAccess,
    pageId: string,
    { owner, until, note }: VerifyPage,
  ): Promise<PageVerificationBody> {
    const end = new Date(until);
    const { type = 'user', id: ownerId = caller.userId } = owner ?? {};
    await this.database.transaction(async () => {
      const head = await this.lines.lockPrimaryIn(organizationId, spaceId);
      const space = await this.requireVerifier(caller, spaceId);
      const page = await this.store.get(primaryPoint(head, space.hiddenPages), 'page', pageId);
      if (page?.type !== 'document') throw notFound('Page');
      const now = this.clock.now();
      if (end <= now) throw invalid('until', 'must be later than now');
      if (space.guestId !== null && ownerId !== caller.userId)
        throw invalid('owner', 'must be you: guests can only answer for pages themselves');
      const found =
        type === 'user'
          ? await this.database.one(USER_OWNER, [organizationId, spaceId, pageId, ownerId])
          : await this.database.one(TEAM_OWNER, [organizationId, ownerId]);
      if (!found) throw invalid('owner.id', NO_OWNER[type]);
      const [userId, teamId] = type === 'user' ? [ownerId, null] : [null, ownerId];
      await this.database.execute(VERIFY, [spaceId, pageId, userId, teamId, end, note ?? null, caller.userId, now]);
      await this.outbox.record({
        type: 'space_page_verified',
        organizationId,
        spaceId,
        target: spaceId,
        payload: { pageId, ...ownerFacts({ userId, teamId }), until: end.toISOString() },
      });
    });
    return this.reader.get(await this.requireVerifier(caller, spaceId), pageId);
  }

  /** Does nothing for a page without a verification, and for one that the caller does not see. */
  async remove(caller: Caller, { id: spaceId, organizationId }: SpaceAccess, pageId: string): Promise<void> {
    await this.database.transaction(async () => {
      const head = await this.lines.lockPrimaryIn(organizationId, spaceId);
      const { hiddenPages } = await this.requireVerifier(caller, spaceId);
      if (!(await this.store.get(primaryPoint(head, hiddenPages), 'page', pageId))) return;
      const { affected } = await this.database.of(PageVerification).delete({ spaceId, pageId });
      if (!affected) return;
      await this.outbox.record({
        type: 'space_page_verification_removed',
        organizationId,
        spaceId,
        target: spaceId,
        payload: { pageId },
      });
    });
  }

  private requireVerifier(caller: Caller, spaceId: string): Promise<SpaceAccess> {
    return this.access.requireSpace(caller, spaceId, 'space:verifyPages');
  }
}

/** The facts of events that say who answers for a page. */
export function ownerFacts({ userId, teamId }: { readonly userId: string | null; readonly teamId: string | null }) {
  return { ...(userId !== null && { ownerUserId: userId }), ...(teamId !== null && { ownerTeamId: teamId }) };
}
