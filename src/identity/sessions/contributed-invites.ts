import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { SIGN_IN_INVITES, type SignInInvites } from './sessions.points.js';

/** The invite links of the module above that keeps them; without one there are none. */
@Injectable()
export class ContributedInvites implements SignInInvites, OnModuleInit {
  private invites: SignInInvites | undefined;

  constructor(
    private readonly registry: Registry,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    const [invites] = this.registry.contributionsTo(SIGN_IN_INVITES);
    this.invites = invites && this.modules.get(invites, { strict: false });
  }

  async idOf(secret: string): Promise<string | undefined> {
    return this.invites?.idOf(secret);
  }

  async join(inviteId: string, user: { readonly id: string }): Promise<boolean> {
    return (await this.invites?.join(inviteId, user)) ?? false;
  }
}
