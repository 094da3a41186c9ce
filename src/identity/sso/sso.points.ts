import type { Type } from '@nestjs/common';
import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';
import type { Role } from '../../kernel/common/roles.js';
import type { AssertedPerson } from './domain/person.js';
import type { ProtocolName } from './protocol.js';

/** A person as a verified answer of an identity provider describes them. */
export interface AssertedIdentity extends AssertedPerson {
  readonly organizationId: string;
  readonly providerId: string;
  readonly protocol: ProtocolName;
}

/** Where a mapping departs from the settings of the identity provider; absent fields keep them. */
export interface MappedIdentity {
  /** The reason why the person is not let in, as a sentence that they see. */
  readonly refusal?: string;
  /** The name of an account that is made for the person; existing accounts keep theirs. */
  readonly displayName?: string;
  /** The role of somebody who becomes a member; members keep theirs. An invitation comes before it. `null` gives no role. */
  readonly role?: Role | null;
  /** Ids of teams of the organization that the person joins with every login. No team is left. */
  readonly teams?: readonly string[];
}

/** Decides by attributes of a person what a login makes of them. */
export interface IdentityMapping {
  /** Asked once for each login, outside of a transaction. A login fails where it throws. */
  map(identity: AssertedIdentity): MappedIdentity | undefined | Promise<MappedIdentity | undefined>;
}

/** Classes of mappings, which are providers of the modules that contribute them. Where several give one field, the last one counts. */
export const IDENTITY_MAPPINGS = new ContributionPoint<Type<IdentityMapping>>('identity mappings');
