import { join } from 'node:path';
import type { z } from 'zod';
import type { Manifest, ServiceSettings } from '../manifest/manifest.js';
import { serverAddresses } from '../../common/database-address.js';
import { environmentName, secretKeys } from './setting-schemas.js';

type Parsed = { readonly [Name in keyof ServiceSettings]: z.output<ServiceSettings[Name]> };

/** The checked configuration: sizes in bytes, times in the unit that the setting's description names, folders absolute. */
export type Config = Omit<Parsed, 'filesDir' | 'secretKey'> & {
  readonly filesDir: string;
  /** Never empty once the server runs: for the embedded database the generated key is set before anything starts. */
  readonly secretKey: readonly string[];
};

/** The injection token of the checked configuration. */
export const CONFIG = Symbol('configuration');

/** A setting as described by help texts and by the checks of `.env`. */
export interface DescribedSetting {
  /** The property of `Config`. */
  readonly name: string;
  /** The environment variable. */
  readonly variable: string;
  readonly description: string;
  /** Its value must never be logged or printed. */
  readonly secret: boolean;
}

/** All faults of the configuration; `faults` has one line per setting, the message all of them. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/** The settings of all modules, in their order. */
export function settingsOf(manifests: readonly Manifest[]): DescribedSetting[] {
  return manifests.flatMap(({ settings }) =>
    Object.entries(settings).map(([name, schema]) => ({
      name,
      variable: environmentName(name),
      description: schema.description ?? '',
      secret: schema.meta()?.['secret'] === true,
    })),
  );
}

/**
 * Checks the environment against the settings of all modules. Empty variables count as absent.
 * @throws ConfigError with every fault at once; values of secrets are never part of a fault.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, manifests: readonly Manifest[]): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, schema] of manifests.flatMap(({ settings }) => Object.entries(settings))) {
    const text = env[environmentName(name)]?.trim();
    const result = schema.safeParse(text === '' ? undefined : text);
    if (result.success) values[name] = result.data;
    else faults.push(`${environmentName(name)} ${messagesOf(result.error)}`);
  }
  const faulty = new Set(faults.map((fault) => fault.split(' ', 1)[0]));
  const related = manifests.flatMap(({ settingFaults }) => settingFaults(values));
  faults.push(...related.filter((fault) => !faulty.has(fault.split(' ', 1)[0])));
  if (faults.length > 0) throw new ConfigError(faults);
  const parsed = values as Parsed;
  return { ...parsed, secretKey: parsed.secretKey ?? [], filesDir: parsed.filesDir ?? join(parsed.dataDir, 'files') };
}

/** The values of the secret settings, which must never be shown; for addresses, their passwords. */
export function secretsOf(config: Partial<Config>, settings: readonly DescribedSetting[]): string[] {
  const values: Readonly<Record<string, unknown>> = config;
  return settings.flatMap(({ name, secret }) => {
    const value = secret ? values[name] : undefined;
    if (typeof value !== 'string') return Array.isArray(value) ? (value as string[]) : [];
    return name.endsWith('Url') ? passwordsOf(value) : [value];
  });
}

/** The password of an address, encoded and decoded; decoding may fail. */
function passwordsOf(address: string): string[] {
  const { password } = new URL(serverAddresses(address)[0]);
  if (password === '') return [];
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}

/** Reads the keys in the file of generated keys, which may be rotated as `SECRET_KEY` is. Throws `ConfigError`. */
export function keysOfFile(path: string, text: string): readonly string[] {
  const result = secretKeys.safeParse(text);
  if (!result.success) throw new ConfigError([`${path} ${messagesOf(result.error)}`]);
  return result.data;
}

const messagesOf = ({ issues }: z.ZodError): string => [...new Set(issues.map(({ message }) => message))].join('; ');
