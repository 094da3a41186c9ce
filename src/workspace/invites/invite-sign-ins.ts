import { Injectable } from '@nestjs/common';
import type { SignInInvites } from '../../identity/sessions/sessions.points.js';
import { InviteLinks } from './invite-links.service.js';
import { Joining } from './joining.service.js';

/** Lets people without an account in whom an invite link admits, once a letter has reached them. */
@Injectable()
export class InviteSignIns implements SignInInvites {
  constructor(
    private readonly links: InviteLinks,
    private readonly joining: Joining,
  ) {}

  async idOf(secret: string): Promise<string | undefined> {
    return (await this.links.openBy('secret', secret))?.id;
  }

  async join(inviteId: string, { id: userId }: { readonly id: string }): Promise<boolean> {
    const link = await this.links.openBy('id', inviteId);
    if (!link) return false;
    await this.joining.byLink({ userId, tokenId: '', organizationId: undefined, scopes: undefined }, link);
    return true;
  }
}
