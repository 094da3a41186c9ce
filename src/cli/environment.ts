import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { closestMatch } from 'leven';
import type { DescribedSetting } from '../kernel/platform/config/config.js';
import { OperatorError, reasonOf } from '../kernel/platform/operator-error.js';

/** The environment for reading settings, with the original names in it and the names in the file `.env`. */
export interface Environment {
  readonly values: NodeJS.ProcessEnv;
  readonly ofProcess: readonly string[];
  readonly inFile: readonly string[];
}

const FILE = '.env';
/** Names in `.env` that other programs read: compose, the client of S3, that of PostgreSQL, Node. */
const READ_BY_OTHERS = /^(AWS_\w+|COMPOSE_\w+|DOCKER_\w+|NODE_\w+|PG[A-Z]+|POSTGRES_PASSWORD|TZ)$/;
/** Names of other programs that differ from one of ours by one letter. */
const USUAL: ReadonlySet<string> = new Set(['APP_URL', 'LOGLEVEL']);
/** Shorter names are often similar to ours by chance. */
const SHORTEST = 6;
/** In names of at least this length two letters may be wrong, or transposed. */
const LONG = 9;

/**
 * The process environment, completed by the file `.env` of the working directory if that exists (set variables take
 * precedence).
 */
export function readEnvironment(): Environment {
  const ofProcess = Object.keys(process.env);
  const inFile = existsSync(FILE) ? Object.keys(parseEnv(readFile())) : [];
  if (inFile.length > 0) process.loadEnvFile(FILE);
  return { values: process.env, ofProcess, inFile };
}

function readFile(): string {
  try {
    return readFileSync(FILE, 'utf8');
  } catch (error) {
    throw new OperatorError(
      `The file ${FILE} cannot be read (${reasonOf(error)}): it must be a text file that this user may read`,
      { cause: error },
    );
  }
}

/**
 * Warnings about names that are not settings: all unknown names in the file, which is ours, and names of the process
 * that look like misspelled settings. Values never appear in them.
 */
export function warningsOf(
  { ofProcess, inFile }: Pick<Environment, 'ofProcess' | 'inFile'>,
  described: readonly DescribedSetting[],
): string[] {
  const settings = described.map(({ variable }) => variable);
  const unknown = (name: string): boolean => !settings.includes(name);
  const line = (name: string, place: string): string => {
    const meant = closestMatch(name.toUpperCase(), settings, { maxDistance: mostWrong(name) });
    return `Warning: ${name} in ${place} is no setting and changes nothing${meant === undefined ? '' : `: was ${meant} meant?`}`;
  };
  const strange = inFile.filter((name) => unknown(name) && !READ_BY_OTHERS.test(name));
  const misspelt = ofProcess.filter((name) => unknown(name) && isMisspelt(name, settings) && !inFile.includes(name));
  return [...strange.map((name) => line(name, FILE)), ...misspelt.map((name) => line(name, 'the environment'))];
}

function isMisspelt(name: string, settings: readonly string[]): boolean {
  if (name.length < SHORTEST || USUAL.has(name) || !/^[A-Z][A-Z0-9_]+$/.test(name)) return false;
  return closestMatch(name, settings, { maxDistance: mostWrong(name) }) !== undefined;
}

const mostWrong = (name: string): number => (name.length < LONG ? 1 : 2);
