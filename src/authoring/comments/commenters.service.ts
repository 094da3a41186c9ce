import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import type { ContentPlace } from '../content/content-places.js';
import { presentMember, type MemberBody } from '../../identity/organizations/members.schema.js';
import { Members } from '../../identity/organizations/members.service.js';
import { discussedLine } from './comment-reader.js';
import { COMMENTERS_FROM } from './comments.statements.js';

/** The participants of discussions. */
@Injectable()
export class Commenters {
  constructor(
    private readonly pages: Pages,
    private readonly access: Access,
    private readonly members: Members,
    private readonly addresses: Addresses,
  ) {}

  /**
   * Lists the members of the organization who posted comments or replies at a place; the latest members come first.
   * Guests see only themselves.
   */
  async list(caller: Caller, place: ContentPlace, request: PageRequest): Promise<Page<MemberBody>> {
    const organization = await this.access.organization(caller, place.space.organizationId);
    if (!organization) throw notFound('Space');
    const values = [organization.id, place.space.id, discussedLine(place), place.space.guestId];
    const page = await this.pages.list<{ id: string }>(request, {
      scope: ['commenters', ...values],
      select: 'm.user_id AS id',
      from: COMMENTERS_FROM,
      values,
      order: [
        { expression: 'm.joined_at', type: 'timestamptz' },
        { expression: 'm.user_id', type: 'text' },
      ],
      direction: 'desc',
    });
    const members = await this.members.load(
      caller.userId,
      organization,
      page.items.map(({ id }) => id),
    );
    return page.with(members.map((member) => presentMember(member, this.addresses)));
  }
}
