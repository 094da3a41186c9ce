import { resolve } from 'node:path';
import { z } from 'zod';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { checkedList, isOrigin, whole } from '../../kernel/platform/config/setting-schemas.js';
import { organization } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { purgeTargetOf } from './shared-cache/purge-targets.js';

const apiOrigins = checkedList(
  (item) => item !== '*' && isOrigin(item),
  'must be a comma-separated list of origins such as https://api.example.com, without a path or a slash at the end',
).default([]);

export const publishing = defineModule({
  name: 'publishing',
  migrations: migrationsOf('publishing'),
  settings: {
    acmeWebroot: z
      .string()
      .transform((path) => resolve(path))
      .optional()
      .describe(
        'Folder in which an ACME client leaves its answers (`webroot`): those below .well-known/acme-challenge are served on the public listener',
      ),
    mcpApiOrigins: apiOrigins.describe(
      'Origins of APIs whose operations agents may call over the MCP servers of published sites that show them, where these only read; without any there are no such tools',
    ),
    mcpApiWriteOrigins: apiOrigins.describe(
      'Those of MCP_API_ORIGINS whose other operations, which may change something, agents may call as well',
    ),
    visitorTokenMaxMinutes: whole(1, 5_256_000)
      .default(43_200)
      .describe('Minutes that the tokens of visitors may still be valid; one whose exp is further ahead is refused'),
    publishedDelaySeconds: whole(0, 60)
      .default(1)
      .describe(
        'Seconds after which pages of public sites show at the latest what another server has changed; 0 asks the database at each request',
      ),
    publishedAwaySeconds: whole(0, 86_400)
      .default(60)
      .describe(
        'Seconds for which pages of public sites that a server knows go on being served while the database cannot be reached, also by a server that starts meanwhile',
      ),
    publishedPagesDiskMb: whole(0, 1_000_000)
      .default(256)
      .describe(
        'Megabytes below DATA_DIR for pages of public sites as they are sent, for the next start and all processes of a machine; 0 keeps none there',
      ),
    sharedCacheSeconds: whole(0, 31_536_000)
      .default(0)
      .describe(
        'Seconds for which caches in front of the service may keep pages of public sites; 0 lets them keep none without asking',
      ),
    sharedCachePurge: checkedList(
      (item) => purgeTargetOf(item) !== undefined,
      'must be a comma-separated list such as varnish:http://cache:6081, fastly:https://api.fastly.com/service/<id>, cloudflare:https://api.cloudflare.com/client/v4/zones/<id>',
    )
      .default([])
      .describe('Comma-separated caches that are told of changes, each as its kind and the address that takes purges'),
    sharedCacheToken: z
      .string()
      .min(1)
      .optional()
      .meta({ secret: true })
      .describe('The API token with which Fastly or Cloudflare take purges'),
  },
  settingFaults: ({ mcpApiOrigins, mcpApiWriteOrigins, sharedCacheSeconds, sharedCachePurge }) => {
    const readable = new Set([mcpApiOrigins].flat());
    const others = [mcpApiWriteOrigins].flat().filter((origin) => origin !== undefined && !readable.has(origin));
    return [
      ...(others.length > 0
        ? [`MCP_API_ORIGINS must have the origins of MCP_API_WRITE_ORIGINS: ${others.join(', ')}`]
        : []),
      ...(sharedCacheSeconds === 0 && [sharedCachePurge].flat().length > 0
        ? ['SHARED_CACHE_PURGE needs SHARED_CACHE_SECONDS: caches keep nothing that could be purged']
        : []),
    ];
  },
  jobs: {
    'shared-cache.compare': job({ everySeconds: 30, retries: 0 }),
  },
  events: {
    site_adaptive_schema_updated: organization('site', 'The claims that a site knows of its visitors were changed', {
      audit: true,
    }),
    site_publishing_auth_updated: organization('site', 'How visitors of a site log in was changed', {
      audit: true,
      facts: { fields: 'texts' },
    }),
    site_publishing_auth_regenerated: organization(
      'site',
      "The key that visitors' tokens are signed with was replaced",
      { audit: true },
    ),
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    publishing: typeof publishing;
  }
}
