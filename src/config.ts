import { readConfig, settingsOf, type Config, type DescribedSetting } from './kernel/platform/config/config.js';
import type { Manifest } from './kernel/platform/manifest/manifest.js';
import { MANIFESTS } from './manifests.js';

/** The configuration of the service, and of added modules. Throws `ConfigError`. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, added: readonly Manifest[] = []): Config {
  return readConfig(env, [...MANIFESTS, ...added]);
}

/** All settings of the service, and of added modules. */
export function describeSettings(added: readonly Manifest[] = []): DescribedSetting[] {
  return settingsOf([...MANIFESTS, ...added]);
}
