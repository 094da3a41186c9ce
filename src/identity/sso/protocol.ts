import type { Person } from './domain/person.js';
import type { AccessLevel, Role } from '../../kernel/common/roles.js';
import type { TeamForCaller } from '../teams/teams.schema.js';

export const PROVIDER_STATUSES = ['pending', 'active'] as const;
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number];
export type ProtocolName = 'saml' | 'oidc';

/** The protocol settings of an identity provider; null until they are given. */
export type Settings<Complete> = { readonly [Name in keyof Complete]: Complete[Name] | null };

/** The common fields of all identity providers. */
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
/** A provider with all settings for a login. */
export type CompleteProvider<Complete> = Provider & Complete;
/** A login option, as shown to everybody. */
export type LoginOption = Pick<Provider, 'id' | 'protocol' | 'label'>;
/** A login option with its organization. */
export interface WayIn extends LoginOption {
  readonly organizationId: string;
  readonly organizationTitle: string;
}
/** The settings that determine who is admitted, and with which role. */
export type Admission = Pick<Provider, 'organizationId' | 'defaultRole' | 'defaultTeamId'>;

/** A person admitted by a login, after all mappings. */
export interface AdmittedPerson extends Person {
  /** The role of a new member; the default of the provider if it is absent. */
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

/** Changes of the common fields of a provider. */
export interface ProviderChanges {
  readonly label?: string;
  readonly defaultTeam?: string | null;
  readonly defaultRole?: Role | null;
}

/** A protocol by which identity providers identify people. */
export interface Protocol<Complete, Changes extends ProviderChanges> {
  readonly name: ProtocolName;
  /** The columns that hold its settings. */
  readonly columns: Readonly<Record<keyof Complete & string, string>>;
  readonly empty: Settings<Complete>;
  /**
   * Throws `invalid` for settings with which no login can work. It may look names up, so it must run outside of
   * transactions.
   */
  check(changes: Changes): Promise<void>;
  /** The settings after a checked change. */
  settingsAfter(before: Settings<Complete>, changes: Changes): Settings<Complete>;
  /** Its settings for the audit log: certificates by their fingerprints, and no secrets. */
  told(settings: Settings<Complete>): Readonly<Record<string, unknown>>;
}
