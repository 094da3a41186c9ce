import { describeSettings, loadConfig } from '../config.js';
import type { Config } from '../kernel/platform/config/config.js';
import type { AddedModule } from '../kernel/platform/manifest/added-modules.js';
import type { Manifest } from '../kernel/platform/manifest/manifest.js';
import { readEnvironment, warningsOf } from './environment.js';
import { findAddedModules } from './added-modules.js';

/** The configuration of a command: the settings, and the external modules that they name. */
export interface Configuration {
  readonly config: Config;
  readonly modules: readonly AddedModule[];
  readonly manifests: readonly Manifest[];
}

/**
 * Reads the environment and `.env`; `warn` receives names that are probably misspelled settings, before the first
 * fault. Throws `ConfigError`, and `OperatorError` for a module that cannot be loaded.
 */
export async function readConfiguration(warn: (line: string) => void = () => undefined): Promise<Configuration> {
  const environment = readEnvironment();
  const { modules, manifests } = await findAddedModules(environment.values);
  warningsOf(environment, describeSettings(manifests)).forEach(warn);
  return { config: loadConfig(environment.values, manifests), modules, manifests };
}
