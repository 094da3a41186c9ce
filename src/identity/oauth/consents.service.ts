import { Injectable } from '@nestjs/common';
import { Access, type TokenAccess } from '../../kernel/access/access.service.js';
import { includesScope, scopeMeanings } from '../../kernel/access/permissions.js';
import { Clock } from '../../kernel/common/clock.js';
import { isId } from '../../kernel/common/ids.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { PROPOSING_SCOPES } from '../users/tokens.service.js';
import type { Consent } from './consent-page.js';
import type { NewGrant } from './oauth-grants.service.js';

/** The answer of a person in the form. */
export interface GivenConsent {
  readonly decision: 'allow' | 'deny';
  readonly token: string;
  readonly organization: string;
  readonly scopes: readonly string[];
  /** True if another site has sent the form. */
  readonly isFromElsewhere: boolean;
}

type Granted = Pick<NewGrant, 'userId' | 'organizationId' | 'scopes' | 'endsAt'>;
type Refused = { readonly fault: string };

/** Decides what a person may grant: at most what the API token, with which they say who they are, may do. */
@Injectable()
export class Consents {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
  ) {}

  /** The scopes that a client asks for: those of proposals where it names none. */
  asked(scopes: readonly string[]): readonly string[] {
    const named = [...new Set(scopes.filter((scope) => scope !== ''))];
    return named.length === 0 ? PROPOSING_SCOPES : named;
  }

  /** Scopes as the page shows them: at first those of proposals are chosen, wider ones are for the person to choose. */
  shown(asked: readonly string[], chosen: readonly string[] | undefined): Consent['scopes'] {
    const meanings = scopeMeanings();
    return asked.map((scope) => ({
      scope,
      about: meanings.get(scope) ?? '',
      isChosen: (chosen ?? PROPOSING_SCOPES).includes(scope),
    }));
  }

  /** The granted access, or the reason why there is none. */
  async decide(given: GivenConsent, asked: readonly string[]): Promise<Granted | Refused> {
    if (given.isFromElsewhere) return { fault: 'The form was sent by another site. Nothing was granted.' };
    const token = given.token === '' ? undefined : await this.access.token(hashSecret(given.token));
    if (!token || (token.expiresAt && token.expiresAt <= this.clock.now()))
      return { fault: 'This is not a valid API token.' };
    if (token.agent !== null) return { fault: 'The token of an agent cannot grant access to others.' };
    if (token.scopes && !includesScope(token.scopes, 'user:write'))
      return { fault: 'The token lacks the scope user:write, which is needed to grant access.' };
    const scopes = asked.filter(
      (scope) => given.scopes.includes(scope) && (!token.scopes || includesScope(token.scopes, scope)),
    );
    if (scopes.length === 0) return { fault: 'Choose at least one scope that your token has.' };
    const organizationId = await this.organization(token, given.organization);
    if (organizationId === null) return { fault: 'This is not the id of an organization that your token acts in.' };
    return { userId: token.userId, organizationId, scopes, endsAt: token.expiresAt };
  }

  /** The organization to which access is limited; null for one that the token does not see. */
  private async organization(
    { userId, tokenId, limitedTo, scopes }: TokenAccess,
    wanted: string,
  ): Promise<string | undefined | null> {
    if (wanted === '') return limitedTo ?? undefined;
    const caller = { userId, tokenId, organizationId: limitedTo ?? undefined, scopes: scopes ?? undefined };
    const found = isId(wanted) ? await this.access.organization(caller, wanted) : undefined;
    return found?.id ?? null;
  }
}
