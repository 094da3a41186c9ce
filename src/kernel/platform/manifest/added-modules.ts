import { MODULE_METADATA } from '@nestjs/common/constants.js';
import type { DynamicModule, Type } from '@nestjs/common';
import { satisfies, validRange } from 'semver';
import { VERSION } from '../../../version.js';
import type { Manifest } from './manifest.js';
import { manifestIn } from './registry.js';

/** An external Nest module, which lists its manifest with `brings`, itself or in a module that it imports. */
export type AddedModule = Type | DynamicModule;

/**
 * Returns the manifests of external modules, before they are started: settings and migrations are needed first. Throws
 * for a module without a manifest, and for one that does not work with this version.
 */
export function addedManifests(modules: readonly AddedModule[], own: readonly Manifest[]): Manifest[] {
  return modules.flatMap((module) => {
    const manifests = [...manifestsWithin(module)].filter((manifest) => !own.includes(manifest));
    if (manifests.length === 0)
      throw new Error(`${nameOf(module)} has no manifest: list brings(manifest) in its providers`);
    for (const manifest of manifests) requireVersion(manifest);
    return manifests;
  });
}

/** Tells whether an export of a package is a Nest module with a manifest. */
export function isAddedModule(exported: unknown): exported is AddedModule {
  return manifestsWithin(exported).size > 0;
}

function requireVersion({ name, requires }: Manifest): void {
  if (requires === undefined || validRange(requires) === null)
    throw new Error(
      `the module ${name} does not say which versions of Bindery it works with: requires is a range such as ^${VERSION}`,
    );
  if (!satisfies(VERSION, requires))
    throw new Error(`the module ${name} works with Bindery ${requires}, and this is ${VERSION}`);
}

function manifestsWithin(module: unknown, seen = new Set<unknown>()): Set<Manifest> {
  const found = new Set<Manifest>();
  const declared = isDynamic(module) ? module.module : module;
  if (typeof declared !== 'function' || seen.has(declared)) return found;
  seen.add(declared);
  const given = isDynamic(module) ? module : undefined;
  const own = (key: string): unknown[] => (Reflect.getMetadata(key, declared) as unknown[] | undefined) ?? [];
  for (const provider of [...own(MODULE_METADATA.PROVIDERS), ...(given?.providers ?? [])]) {
    const manifest = manifestIn(provider);
    if (manifest) found.add(manifest);
  }
  for (const imported of [...own(MODULE_METADATA.IMPORTS), ...(given?.imports ?? [])])
    for (const manifest of manifestsWithin(imported, seen)) found.add(manifest);
  return found;
}

const isDynamic = (module: unknown): module is DynamicModule =>
  typeof module === 'object' && module !== null && 'module' in module;

const nameOf = (module: AddedModule): string => (isDynamic(module) ? module.module : module).name;
