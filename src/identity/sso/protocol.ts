import type { Person } from './domain/person.js';
import type { AccessLevel, Role } from '../../kernel/common/roles.js';
import type { TeamForCaller } from '../teams/teams.schema.js';

export const PROVIDER_STATUSES = ['pending', 'active'] as const;
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number];
export type ProtocolName = 'saml' | 'oidc';

/** What an identity provider is set to in its own protocol; null until it is given. */
export type Settings<Complete> = { readonly [Name in keyof Complete]: Complete[Name] | null };

/** What all identity providers have. */
interface Provider {
  readonly id: string;
  readonly protocol: ProtocolName;
  readonly organizationId: string;
  readonly label: string;
  readonly defaultTeamId: string | null;
  readonly defaultRole: AccessLevel;
  readonly status: ProviderStatus;
  readonly version: number;
  readonly createdAt: Date;
}
export type ProviderRow<Complete> = Provider & Settings<Complete>;
/** A provider with everything that a login needs. */
export type CompleteProvider<Complete> = Provider & Complete;
/** A way to log in, as everybody may know it. */
export type LoginOption = Pick<Provider, 'id' | 'protocol' | 'label'>;
/** What decides who is admitted, and as what. */
export type Admission = Pick<Provider, 'organizationId' | 'defaultRole' | 'defaultTeamId'>;

/** A person whom a login lets in, after all mappings. */
export interface AdmittedPerson extends Person {
  /** The role of a new member; the default of the provider where it is absent. */
  readonly role?: AccessLevel;
  /** Ids of teams that the person joins. */
  readonly teams?: readonly string[];
}

/** A provider in the payload of an event. */
export function asPayload({
  id,
  protocol,
}: Pick<Provider, 'id' | 'protocol'>): { samlProviderId: string } | { oidcProviderId: string } {
  return protocol === 'saml' ? { samlProviderId: id } : { oidcProviderId: id };
}

/** A provider as a caller sees it, with its team. */
export interface ProviderForCaller<Complete> {
  readonly row: ProviderRow<Complete>;
  readonly team: TeamForCaller | undefined;
}

/** What changes any provider, whatever its protocol. */
export interface ProviderChanges {
  readonly label?: string;
  readonly defaultTeam?: string | null;
  readonly defaultRole?: Role | null;
}

/** A protocol by which identity providers say who somebody is. */
export interface Protocol<Complete, Changes extends ProviderChanges> {
  readonly name: ProtocolName;
  /** The columns that hold its settings. */
  readonly columns: Readonly<Record<keyof Complete & string, string>>;
  readonly empty: Settings<Complete>;
  /** Throws `invalid` for what no login can work with. It may look names up, so no transaction waits for it. */
  check(changes: Changes): Promise<void>;
  /** Settings after a change that was checked. */
  settingsAfter(before: Settings<Complete>, changes: Changes): Settings<Complete>;
  /** Its settings as the audit log may have them: certificates by their fingerprints, and no secrets. */
  told(settings: Settings<Complete>): Readonly<Record<string, unknown>>;
}
