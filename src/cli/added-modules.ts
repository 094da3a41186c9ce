import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AddedModule } from '../kernel/platform/manifest/added-modules.js';
import type { Manifest } from '../kernel/platform/manifest/manifest.js';
import { OperatorError, reasonOf } from '../kernel/platform/operator-error.js';

/** Files of the working directory that list modules: `export const modules = [AnnouncementsModule];`. */
const FILES = ['bindery.config.js', 'bindery.config.mjs', 'bindery.config.ts'];

const VARIABLE = 'BINDERY_MODULES';

/** Tells, before anything is loaded, whether the environment, `.env` or the working directory may name external modules. */
export function mayAddModules(env: Readonly<Record<string, string | undefined>>): boolean {
  if ((env[VARIABLE] ?? '') !== '' || FILES.some((name) => existsSync(name))) return true;
  try {
    return existsSync('.env') && readFileSync('.env', 'utf8').includes(VARIABLE);
  } catch {
    // The reading of the settings says why the file cannot be read.
    return false;
  }
}

export interface AddedModules {
  readonly modules: readonly AddedModule[];
  readonly manifests: readonly Manifest[];
}

/**
 * Loads the modules in `BINDERY_MODULES` and in the file `bindery.config.js`, in this order. Loads nothing if there are
 * none.
 * @throws OperatorError with the name and the reason of one that cannot be used.
 */
export async function findAddedModules(env: Readonly<Record<string, string | undefined>>): Promise<AddedModules> {
  const names = (env[VARIABLE] ?? '').split(',').flatMap((name) => name.trim() || []);
  const file = FILES.find((name) => existsSync(name));
  const modules: AddedModule[] = [];
  for (const name of names) modules.push(...(await modulesOf(name)));
  if (file !== undefined) modules.push(...(await listedIn(file)));
  if (modules.length === 0) return { modules, manifests: [] };
  const { manifestsOf } = await import('../manifests.js');
  try {
    return { modules, manifests: manifestsOf(modules) };
  } catch (error) {
    throw new OperatorError(`A module cannot be added: ${reasonOf(error)}`, { cause: error });
  }
}

/** The Nest modules among the exports of a package, or of a file given by its path. */
async function modulesOf(name: string): Promise<AddedModule[]> {
  const exports = await loaded(name, /^[./]|^file:/.test(name) ? pathToFileURL(resolve(name)).href : name);
  const { isAddedModule } = await import('../kernel/platform/manifest/added-modules.js');
  const modules = [...new Set(Object.values(exports))].filter(isAddedModule);
  if (modules.length === 0)
    throw new OperatorError(`The module ${name} cannot be added: it exports no Nest module with a manifest`);
  return modules;
}

async function listedIn(file: string): Promise<AddedModule[]> {
  const { modules } = await loaded(file, pathToFileURL(resolve(file)).href);
  if (!Array.isArray(modules))
    throw new OperatorError(`${file} lists no modules: it must export modules, an array of Nest modules`);
  return modules as AddedModule[];
}

async function loaded(name: string, specifier: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(specifier)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new OperatorError(`The module ${name} cannot be loaded: ${reasonOf(error)}`, { cause: error });
  }
}
