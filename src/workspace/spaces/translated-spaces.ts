import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';
import type { Registry } from '../../kernel/platform/manifest/registry.js';

/**
 * An SQL condition under which the space with an id, given as an expression, is a translation: people change its words
 * alone.
 */
export const TRANSLATED_SPACES = new ContributionPoint<(space: string) => string>('spaces that are translations');

/** Tells whether a space is a translation, as an SQL expression. */
export function isTranslation(registry: Registry, space: string): string {
  return `(${['false', ...registry.contributionsTo(TRANSLATED_SPACES).map((condition) => condition(space))].join(' OR ')})`;
}
