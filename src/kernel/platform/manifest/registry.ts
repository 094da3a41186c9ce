import type { FactoryProvider, ValueProvider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { settingsOf, type DescribedSetting } from '../config/config.js';
import type { JobTable } from '../jobs/job-definition.js';
import type { Contribution, ContributionPoint } from './contribution.js';
import type { EventDefinition } from './event-definition.js';
import type { AuditedType, EventType } from './events.js';
import type { AuditSources, Manifest, EventTargetKind } from './manifest.js';
import type { PermissionDefinition } from './permission-definition.js';
import { screensOf, type BroughtScreen } from './screen-definition.js';

/** The injection token of a module's manifest. */
const MANIFEST = Symbol('manifest');

/** The provider that registers the manifest of a module. */
export function brings(manifest: Manifest): ValueProvider<Manifest> {
  return { provide: MANIFEST, useValue: manifest };
}

/** The manifest of a provider, if it is one. */
export function manifestIn(provider: unknown): Manifest | undefined {
  const isManifest =
    typeof provider === 'object' && provider !== null && 'provide' in provider && provider.provide === MANIFEST;
  return isManifest ? (provider as unknown as ValueProvider<Manifest>).useValue : undefined;
}

let ofThisProcess: Registry | undefined;
const late: { readonly names: string[]; readonly of: (registry: Registry) => readonly string[] }[] = [];

/**
 * Names that are known when the modules of this process are assembled; the returned list, which schemas can refer to,
 * is filled then.
 */
export function whenAssembled(of: (registry: Registry) => readonly string[]): readonly string[] {
  const names = ofThisProcess ? [...of(ofThisProcess)] : [];
  late.push({ names, of });
  return names;
}

/** A value computed from all manifests, once for each time that they are assembled; throws before. */
export function assembled<Value>(of: (registry: Registry) => Value): () => Value {
  let made: { readonly from: Registry; readonly value: Value } | undefined;
  return () => {
    if (!ofThisProcess) throw new Error('the modules of this process are not assembled yet');
    if (made?.from !== ofThisProcess) made = { from: ofThisProcess, value: of(ofThisProcess) };
    return made.value;
  };
}

/**
 * The combined manifests of all modules, in their order. Throws for duplicate names, or for an audited event about an
 * unknown kind of object.
 */
export class Registry {
  readonly manifests: readonly Manifest[];
  /** Names of the modules. */
  readonly modules: readonly string[];
  readonly events: ReadonlyMap<string, EventDefinition>;
  readonly jobs: JobTable;
  readonly permissions: ReadonlyMap<string, PermissionDefinition>;
  readonly settings: readonly DescribedSetting[];
  readonly targets: ReadonlyMap<string, EventTargetKind>;
  readonly auditSources: AuditSources;
  /** Screens of modules in the workspace. */
  readonly screens: readonly BroughtScreen[];
  /** The event types that organizations can receive. */
  readonly publishedEvents: readonly EventType[];
  /** The actions of the audit log. */
  readonly auditActions: readonly AuditedType[];
  private readonly contributions: readonly Contribution[];

  constructor(manifests: Iterable<Manifest>) {
    const all = [...manifests];
    this.manifests = all;
    this.modules = all.map(({ name }) => name);
    unite(
      'module',
      all.map((manifest) => [manifest.name, { [manifest.name]: manifest }]),
    );
    this.events = unite(
      'event',
      all.map(({ name, events }) => [name, events]),
    );
    this.jobs = Object.fromEntries(
      unite(
        'job',
        all.map(({ name, jobs }) => [name, jobs]),
      ),
    );
    this.permissions = unite(
      'permission',
      all.map(({ name, permissions }) => [name, permissions]),
    );
    this.screens = screensOf(all, this.permissions);
    unite(
      'setting',
      all.map(({ name, settings }) => [name, settings]),
    );
    this.settings = settingsOf(all);
    this.targets = unite(
      'target',
      all.map(({ name, targets }) => [name, targets]),
    );
    this.auditSources = Object.fromEntries(
      unite(
        'source of the audit log',
        all.map(({ name, auditSources }) => [name, { ...auditSources }]),
      ),
    );
    for (const [type, { audit, target }] of this.events) {
      if (audit === true && !this.targets.has(target))
        throw new Error(`the audit log tells of ${type}, but no manifest says what its target, ${target}, is called`);
    }
    this.contributions = all.flatMap(({ contributes }) => contributes);
    this.publishedEvents = [...this.events]
      .filter(([, { scope }]) => scope !== 'account')
      .map(([type]) => type as EventType);
    this.auditActions = [...this.events].filter(([, { audit }]) => audit === true).map(([type]) => type as AuditedType);
  }

  /** The definition of an event; throws if no module defines it. */
  event(type: EventType): EventDefinition {
    const definition = this.events.get(type);
    if (!definition) throw new Error(`no module brings the event ${type}`);
    return definition;
  }

  /** Contributions of modules to a point, in module order. */
  contributionsTo<Value>(point: ContributionPoint<Value>): Value[] {
    return this.contributions.flatMap((each) => (each.point === point ? [each.value as Value] : []));
  }

  /** The contribution to a point that requires exactly one; throws if there is none or more than one. */
  contributionTo<Value>(point: ContributionPoint<Value>): Value {
    const [first, ...others] = this.contributionsTo(point).map((value) => ({ value }));
    if (!first || others.length > 0)
      throw new Error(`${others.length + (first ? 1 : 0)} modules contribute the ${point.name}, where it takes one`);
    return first.value;
  }

  isAudited(type: EventType): type is AuditedType {
    return this.event(type).audit === true;
  }

  /** The name of a target, as an SQL expression over the event `r`. */
  labelOf({ target }: EventDefinition): string {
    return this.targets.get(target)?.label ?? 'NULL';
  }
}

/** Assembled when the service boots, from the manifests of all its modules, before anything uses it. */
export const REGISTRY: FactoryProvider<Registry> = {
  provide: Registry,
  useFactory: (modules: ModulesContainer) => assemble(manifestsOf(modules)),
  inject: [ModulesContainer],
};

/** Makes the manifests those of this process: of its service, or of a command that only describes one. */
export function assemble(manifests: Iterable<Manifest>): Registry {
  const registry = new Registry(manifests);
  ofThisProcess = registry;
  for (const { names, of } of late) names.splice(0, names.length, ...of(registry));
  return registry;
}

function manifestsOf(modules: ModulesContainer): Manifest[] {
  return [...modules.values()].flatMap(({ providers }) => {
    const manifest = providers.get(MANIFEST)?.instance as Manifest | undefined;
    return manifest ? [manifest] : [];
  });
}

/** Merges the tables of several modules; throws if two modules have a row of the same name. */
function unite<Row>(
  what: string,
  tables: readonly (readonly [module: string, table: Readonly<Record<string, Row>>])[],
): Map<string, Row> {
  const rows = new Map<string, Row>();
  const owners = new Map<string, string>();
  for (const [module, table] of tables) {
    for (const [name, row] of Object.entries(table)) {
      const other = owners.get(name);
      if (other !== undefined) throw new Error(`the ${what} ${name} is brought twice, by ${other} and by ${module}`);
      owners.set(name, module);
      rows.set(name, row);
    }
  }
  return rows;
}
