import type { z } from 'zod';
import type { JobTable } from '../jobs/job-definition.js';
import type { Contribution } from './contribution.js';
import type { EventTable } from './event-definition.js';
import type { PermissionTable } from './permission-definition.js';

/** A kind of thing that events are about. */
export interface EventTargetKind {
  /**
   * What such a thing is called at that moment, as an SQL expression over the event `r` that was just recorded; null where whoever
   * records the event tells it, or where there is nothing that may be told: what people write, and addresses.
   */
  readonly label: string | null;
}
export type TargetTable = Readonly<Record<string, EventTargetKind>>;

/** What lines of the audit log tell of whoever did something, in SQL over the event `r`; each is known to one module. */
export interface AuditSources {
  /** An expression: what the actor is called. */
  readonly actorLabel?: string;
  /** An expression: what the token is called that was used. */
  readonly tokenName?: string;
  /** A query of one column: ids of the organizations that hear of an event of a person, where it belongs to no single one. */
  readonly organizationsOfPerson?: string;
}

/** Settings by the names of their properties in `Config`; `databaseUrl` is read from `DATABASE_URL`. Texts are described by their schema, `.meta({ secret: true })` hides values. */
export type SettingTable = Readonly<Record<string, z.ZodType>>;

type None = Readonly<Record<never, never>>;

/** What a module brings into the service. */
export interface Manifest<
  Events extends EventTable = EventTable,
  Jobs extends JobTable = JobTable,
  Permissions extends PermissionTable = PermissionTable,
  Settings extends SettingTable = SettingTable,
> {
  readonly name: string;
  /** Versions of Bindery that a module from elsewhere works with, as npm writes ranges: `^0.1.0`. Modules of the service have none. */
  readonly requires: string | undefined;
  /**
   * The folder of its migrations, `<13 digits>-<words>.sql` each. Those of the modules of the service are one history, because their
   * tables refer to each other; those of a module from elsewhere have a history of their own.
   */
  readonly migrations: string | undefined;
  readonly events: Events;
  readonly jobs: Jobs;
  readonly permissions: Permissions;
  readonly settings: Settings;
  /** What is wrong with settings that are right one by one; each line begins with the variable that has to change. */
  readonly settingFaults: (values: Readonly<Record<string, unknown>>) => readonly string[];
  readonly targets: TargetTable;
  readonly auditSources: AuditSources;
  readonly contributes: readonly Contribution[];
}

/**
 * The manifests that the compiler knows, by the names of their modules. Each one adds itself, from whatever package:
 * `declare module '…/manifest.js' { interface Manifests { comments: typeof comments } }`. What may be recorded and enqueued follows from it.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- modules fill it
export interface Manifests {}

/** Declares what a module brings: its events, jobs, permissions, settings, and the kinds of things that it owns. The module lists it with `brings` among its providers. */
export function defineModule<
  const Events extends EventTable = None,
  const Jobs extends JobTable = None,
  const Permissions extends PermissionTable = None,
  const Settings extends SettingTable = None,
>({
  name,
  requires,
  migrations,
  events = {} as Events,
  jobs = {} as Jobs,
  permissions = {} as Permissions,
  settings = {} as Settings,
  settingFaults = () => [],
  targets = {},
  auditSources = {},
  contributes = [],
}: {
  readonly name: string;
  readonly requires?: string;
  readonly migrations?: string;
  readonly events?: Events;
  readonly jobs?: Jobs;
  readonly permissions?: Permissions;
  readonly settings?: Settings;
  readonly settingFaults?: Manifest['settingFaults'];
  readonly targets?: TargetTable;
  readonly auditSources?: AuditSources;
  /** What it adds to the contribution points of modules below. */
  readonly contributes?: readonly Contribution[];
}): Manifest<Events, Jobs, Permissions, Settings> {
  return {
    name,
    requires,
    migrations,
    events,
    jobs,
    permissions,
    settings,
    settingFaults,
    targets,
    auditSources,
    contributes,
  };
}

type Together<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** All events of the service. */
export type ServiceEvents = Together<{ [Module in keyof Manifests]: Manifests[Module]['events'] }[keyof Manifests]>;
/** All jobs of the service. */
export type ServiceJobs = Together<{ [Module in keyof Manifests]: Manifests[Module]['jobs'] }[keyof Manifests]>;
/** All permissions of the service. */
export type ServicePermissions = Together<
  { [Module in keyof Manifests]: Manifests[Module]['permissions'] }[keyof Manifests]
>;
/** All settings of the service. */
export type ServiceSettings = Together<{ [Module in keyof Manifests]: Manifests[Module]['settings'] }[keyof Manifests]>;
