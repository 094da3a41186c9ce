import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { ChangeRequests } from '../authoring/change-requests/change-requests.service.js';
import { Merges } from '../authoring/change-requests/merges.service.js';
import { Comments } from '../authoring/comments/comments.service.js';
import type { ChangeInput } from '../authoring/content/change-input.js';
import { ContentPlaces } from '../authoring/content/content-places.js';
import { ContentReader } from '../authoring/content/content-reader.js';
import { ContentWriter, type WrittenContent } from '../authoring/content/content-writer.js';
import { appAddress } from '../authoring/content/present-content.js';
import { RequestedReviewers } from '../authoring/reviews/requested-reviewers.service.js';
import { document, paragraph, plain } from '../formats/document/build.js';
import type { Document } from '../formats/document/types.js';
import { Members } from '../identity/organizations/members.service.js';
import { Users } from '../identity/users/users.service.js';
import { Access, type SpaceAccess } from '../kernel/access/access.service.js';
import { Addresses } from '../kernel/common/addresses.js';
import { runInContext, type Caller } from '../kernel/common/context.js';
import { Database } from '../kernel/common/database.js';
import { notFound } from '../kernel/common/errors.js';
import { COMMENT, COMMENTED, HOUSE_STYLE, REASON, replyTo, SUBJECTS, WORDS } from './demo-texts.js';

/** The member of the demo: nobody receives letters at this address, which no identity provider can vouch for. */
const COLLEAGUE = { email: 'robin@demo.invalid', displayName: 'Robin (demo)', emailVerified: false } as const;

/** The change request of the demo that waits for a review. */
export type DemoReview = { readonly number: number; readonly by: string; readonly url: string };

/** Calls `work` as a member, who is the author of all that it writes. */
function as<T>(userId: string, work: (caller: Caller) => Promise<T>): Promise<T> {
  const caller: Caller = { userId, tokenId: '', organizationId: undefined, scopes: undefined };
  return runInContext({ requestId: randomUUID(), ip: undefined, ifMatch: undefined, source: 'script', caller }, () =>
    work(caller),
  );
}

/**
 * Makes everything that a review is about in the demo space: a second member, who has no way to sign in, a change
 * request of theirs with a conflict, a comment with a reply that mentions the administrator, and the review asked of
 * them.
 */
export async function proposeInDemo(
  services: INestApplicationContext,
  { organizationId, spaceId }: { readonly organizationId: string; readonly spaceId: string },
  userId: string,
): Promise<DemoReview> {
  const demo = new DemoSpace(services, spaceId);
  const { page } = await demo.merged(userId, SUBJECTS.begun, {
    operation: 'insert_page',
    title: HOUSE_STYLE.title,
    description: HOUSE_STYLE.description,
    document: { markdown: HOUSE_STYLE.written },
  });
  const colleague = await services.get(Database).transaction(async () => {
    const user = await services.get(Users).create(COLLEAGUE);
    await services.get(Members).admit(organizationId, user.id, 'edit');
    return user;
  });
  const request = await demo.proposed(
    colleague.id,
    SUBJECTS.proposed,
    { operation: 'update_page', page, document: { markdown: HOUSE_STYLE.proposed } },
    {
      operation: 'insert_page',
      title: WORDS.title,
      description: WORDS.description,
      document: { markdown: WORDS.markdown },
    },
  );
  await demo.merged(userId, SUBJECTS.meanwhile, {
    operation: 'update_page',
    page,
    document: { markdown: HOUSE_STYLE.published },
  });
  const reviewer = await services.get(Users).get(userId);
  await demo.discussed(colleague.id, request.id, page, reviewer);
  await demo.submitted(colleague.id, request.id, userId);
  const space = { organizationId, id: spaceId };
  return {
    number: request.number,
    by: COLLEAGUE.displayName,
    url: appAddress(services.get(Addresses), space, { number: request.number }),
  };
}

/** The demo space, in which members propose, merge and discuss. */
class DemoSpace {
  constructor(
    private readonly services: INestApplicationContext,
    private readonly spaceId: string,
  ) {}

  /** A change request with these changes, and the first page of them. */
  proposed(
    userId: string,
    subject: string,
    ...changes: readonly ChangeInput[]
  ): Promise<{ id: string; number: number; page: string }> {
    return as(userId, async (caller) => {
      const { id, number } = await this.services.get(ChangeRequests).create(caller, this.spaceId, { subject });
      const { touched }: WrittenContent = await this.services
        .get(ContentWriter)
        .write({ spaceId: this.spaceId, changeRequest: id }, changes, { caller });
      return { id, number, page: touched[0]?.page ?? '' };
    });
  }

  /** The same, merged by its author. */
  async merged(userId: string, subject: string, ...changes: readonly ChangeInput[]): Promise<{ page: string }> {
    const { id, page } = await this.proposed(userId, subject, ...changes);
    await as(userId, (caller) => this.services.get(Merges).merge(caller, this.spaceId, id));
    return { page };
  }

  /** Comments on a block of a page in a change request, and mentions a reviewer in the reply. */
  discussed(
    userId: string,
    changeRequestId: string,
    page: string,
    reviewer: { readonly id: string; readonly displayName: string },
  ): Promise<void> {
    return as(userId, async (caller) => {
      const place = await this.services.get(ContentPlaces).at(await this.space(caller), { changeRequestId });
      const { json } = await this.services.get(ContentReader).documentOf(place, 'page', page, 'false');
      const { nodes } = JSON.parse(json) as Document;
      const node = nodes.find((block) => JSON.stringify(block).includes(COMMENTED))?.key;
      const comments = this.services.get(Comments);
      const body = { markdown: COMMENT };
      const comment = await comments.post(caller, place, { body, page, ...(node !== undefined && { node }) });
      const address = this.services.get(Addresses).location(`/users/${reviewer.id}`);
      await comments.reply(caller, place, comment, { markdown: replyTo(reviewer.displayName, address) });
    });
  }

  /** Asks for the review of a change request, which opens it. */
  submitted(userId: string, changeRequest: string, reviewer: string): Promise<void> {
    return as(userId, async (caller) => {
      const description = document([paragraph(plain(REASON))]);
      await this.services
        .get(RequestedReviewers)
        .request(caller, await this.space(caller), changeRequest, { users: [reviewer], description });
    });
  }

  private async space(caller: Caller): Promise<SpaceAccess> {
    const space = await this.services.get(Access).space(caller, this.spaceId);
    if (!space) throw notFound('Space');
    return space;
  }
}
