import type { z } from 'zod';
import type { JobTable } from '../jobs/job-definition.js';
import type { Contribution } from './contribution.js';
import type { EventTable } from './event-definition.js';
import type { PermissionTable } from './permission-definition.js';
import type { ScreenTable } from './screen-definition.js';

/** A kind of object that events refer to. */
export interface EventTargetKind {
  /**
   * The name of such an object at that moment, as an SQL expression over the event `r` that was just recorded; null if
   * the recorder of the event gives it, or if it may not be stored: texts of people, and addresses.
   */
  readonly label: string | null;
}
export type TargetTable = Readonly<Record<string, EventTargetKind>>;

/** SQL for the lines of the audit log, over the event `r`; one module provides each. */
export interface AuditSources {
  /** The beginning of an INSERT into the table of the lines, with its columns in the order of `AUDIT_COLUMNS`. */
  readonly insertion?: string;
  /** An expression: the name of the actor. */
  readonly actorLabel?: string;
  /** An expression: the name of the token that was used. */
  readonly tokenName?: string;
  /**
   * A query of one column: ids of the organizations that receive an event of a person, if it belongs to no single one.
   */
  readonly organizationsOfPerson?: string;
}

/** Settings by the names of their properties in `Config`; `databaseUrl` is read from `DATABASE_URL`. Texts are described by their schema, `.meta({ secret: true })` hides values. */
export type SettingTable = Readonly<Record<string, z.ZodType>>;

type None = Readonly<Record<never, never>>;

/** The definition of a module. */
export interface Manifest<
  Events extends EventTable = EventTable,
  Jobs extends JobTable = JobTable,
  Permissions extends PermissionTable = PermissionTable,
  Settings extends SettingTable = SettingTable,
> {
  readonly name: string;
  /**
   * Versions of Bindery that an external module works with, as an npm version range: `^0.1.0`. Modules of the service
   * have none.
   */
  readonly requires: string | undefined;
  /**
   * The folder of its migrations, `<13 digits>-<words>.sql` each. Those of the modules of the service form one history,
   * because their tables refer to each other; those of an external module form a history of their own.
   */
  readonly migrations: string | undefined;
  readonly events: Events;
  readonly jobs: Jobs;
  readonly permissions: Permissions;
  readonly settings: Settings;
  /**
   * Checks the combination of settings that are valid one by one; each line begins with the variable that has to
   * change.
   */
  readonly settingFaults: (values: Readonly<Record<string, unknown>>) => readonly string[];
  readonly targets: TargetTable;
  readonly auditSources: AuditSources;
  readonly contributes: readonly Contribution[];
  /** Its screens in the workspace, and its sections of settings there. */
  readonly screens: ScreenTable | undefined;
}

/**
 * The manifests that the compiler knows, by module name. Each one adds itself, from any package: `declare module
 * '…/manifest.js' { interface Manifests { comments: typeof comments } }`. The types of events and jobs follow from it.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- modules fill it
export interface Manifests {}

/**
 * Declares the contributions of a module: its events, jobs, permissions, settings, and the kinds of objects that it
 * owns. The module lists it with `brings` among its providers.
 */
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
  screens,
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
  /** Its contributions to the contribution points of lower modules. */
  readonly contributes?: readonly Contribution[];
  readonly screens?: ScreenTable;
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
    screens,
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
