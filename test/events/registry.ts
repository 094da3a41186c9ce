import { readdirSync } from 'node:fs';
import type { Manifest } from '../../src/kernel/platform/manifest/manifest.js';
import { Registry } from '../../src/kernel/platform/manifest/registry.js';

const SOURCE = new URL('../../src/', import.meta.url);
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.manifest.ts'),
);

/** What the manifests of the source say, for those who look at it from outside of a server. */
export const REGISTRY = new Registry(
  (
    await Promise.all(
      FILES.map((path) => import(`../../src/${path.replace(/\.ts$/, '.js')}`) as Promise<Record<string, Manifest>>),
    )
  ).flatMap((file) => Object.values(file)),
);
