import { stringify } from 'yaml';
import { withoutUndefined } from '../../../../formats/document/without-undefined.js';
import { YAML_WRITING } from '../../../../formats/markdown/yaml-keys.js';
import type { SiteFile, SiteNode } from './site-file.js';

/** The order in which people look for the values of a node. */
const ORDER = [
  'type',
  'key',
  'title',
  'localizedTitle',
  'description',
  'localizedDescription',
  'icon',
  'path',
  'url',
  'default',
  'hidden',
  'draft',
  'condition',
  'content',
] as const;

/** Writes the file of a site, which `readSiteFile` reads. */
export function writeSiteFile({ title, structure }: SiteFile): string {
  return stringify({ site: { title, structure: structure.map(written) } }, YAML_WRITING);
}

function written(node: SiteNode): object {
  const children = 'children' in node ? node.children?.map(written) : undefined;
  return withoutUndefined({ ...valuesOf(node), children });
}

/** The values of a node in the order in which they are written, without its children. */
export function valuesOf(node: SiteNode): Readonly<Record<string, unknown>> {
  const values = node as unknown as Readonly<Record<string, unknown>>;
  return withoutUndefined(Object.fromEntries(ORDER.map((name) => [name, values[name]])));
}
