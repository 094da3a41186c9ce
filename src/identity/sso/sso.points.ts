import type { Type } from '@nestjs/common';
import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';
import type { Role } from '../../kernel/common/roles.js';
import type { AssertedPerson } from './domain/person.js';
import type { ProtocolName } from './protocol.js';

/** A person as described by a verified response of an identity provider. */
export interface AssertedIdentity extends AssertedPerson {
  readonly organizationId: string;
  readonly providerId: string;
  readonly protocol: ProtocolName;
}

/** Overrides of the settings of the identity provider; absent fields keep them. */
export interface MappedIdentity {
  /** The reason why the person is refused, as a sentence shown to them. */
  readonly refusal?: string;
  /** The name of a new account for the person; existing accounts keep theirs. */
  readonly displayName?: string;
  /** The role of a new member; existing members keep theirs. An invitation takes precedence. `null` gives no role. */
  readonly role?: Role | null;
  /** Ids of teams of the organization that the person joins with every login. The person never leaves a team. */
  readonly teams?: readonly string[];
}

/** Decides on the result of a login by the attributes of a person. */
export interface IdentityMapping {
  /** Called once for each login and each test login, outside of a transaction. A login fails if it throws. */
  map(identity: AssertedIdentity): MappedIdentity | undefined | Promise<MappedIdentity | undefined>;
}

/**
 * Classes of mappings, which are providers of the modules that contribute them. If several return one field, the last
 * one counts.
 */
export const IDENTITY_MAPPINGS = new ContributionPoint<Type<IdentityMapping>>('identity mappings');
