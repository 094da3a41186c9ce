import type { Type } from '@nestjs/common';
import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';

/** The invite links with which people without an account may sign in. */
export interface SignInInvites {
  /** The id of the link with a secret; undefined where it admits nobody. */
  idOf(secret: string): Promise<string | undefined>;
  /** Makes a member of a new account, in the ambient transaction; false where the link admits nobody any more. */
  join(inviteId: string, user: { readonly id: string }): Promise<boolean>;
}

/** The class that answers for invite links, which is a provider of the module that contributes it. */
export const SIGN_IN_INVITES = new ContributionPoint<Type<SignInInvites>>('invites of sign-in links');
