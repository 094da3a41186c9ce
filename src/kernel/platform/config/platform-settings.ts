import { resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_BUDGET, SMALLEST_BUDGET } from '../../common/cache.js';
import {
  bytes,
  flag,
  isAddressRange,
  isOrigin,
  list,
  checkedList,
  databaseAddress,
  replicaAddress,
  loginAddress,
  originsFault,
  port,
  required,
  secretKeys,
  httpAddress,
  whole,
} from './setting-schemas.js';

const NAMED_PROXIES = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Settings of the process and of the platform that every module uses. */
export const platformSettings = {
  host: z.string().default('127.0.0.1').describe('Address that both listeners bind to; 0.0.0.0 for every interface'),
  port: port.default(3000).describe('Port of the API; 0 takes any free port'),
  publicPort: port.optional().describe('Port of files and published sites; without it the next free port above PORT'),
  apiUrl: httpAddress
    .optional()
    .describe('Address under which clients reach the API; without it derived from HOST and PORT'),
  publicUrl: httpAddress
    .optional()
    .describe(
      'Address under which readers reach files and published sites; without it derived from HOST and PUBLIC_PORT',
    ),
  appUrl: httpAddress
    .optional()
    .describe('Address of the workspace in the browser, at the origin of API_URL; without it API_URL and /app'),
  databaseUrl: databaseAddress
    .optional()
    .describe(
      'PostgreSQL 15 or newer, UTF8; several hosts with commas between them, of which the one that accepts changes is used; without it the server runs its own PostgreSQL under DATA_DIR',
    )
    .meta({ secret: true }),
  databaseDirectUrl: databaseAddress
    .optional()
    .describe(
      'Address of the same database past a connection pooler in DATABASE_URL, for the connections of each server on which it hears what others have changed and asks if the primary is there; without it each asks the database, and replicas do not stand in for a primary that only the pooler misses',
    )
    .meta({ secret: true }),
  databaseReadUrl: replicaAddress
    .optional()
    .describe(
      'Replicas of the database, several hosts with commas between them, which answer statements of requests that only read; each host must be one server, without a balancer or pooler',
    )
    .meta({ secret: true }),
  databaseReadMaxLag: whole(1, 3600)
    .default(10)
    .describe('Seconds that a replica may be behind the primary; one that is further behind answers nothing'),
  databaseReadAwaySeconds: whole(0, 86_400)
    .default(3600)
    .describe('Seconds for which replicas go on answering while a server cannot reach the primary; 0 turns that off'),
  databasePrepared: z
    .enum(['auto', 'always', 'never'], 'must be auto, always or never')
    .default('auto')
    .describe(
      'Preparing of statements once for a connection: always, never, or auto, which finds out if a connection pooler keeps them',
    ),
  databasePoolSize: whole(2, 500).default(10).describe('Largest number of connections to the database of one server'),
  databaseTimeout: whole(1, 3600)
    .default(120)
    .describe('Seconds that one statement may take, and that a silent database is waited for'),
  workers: whole(1, 256)
    .optional()
    .describe(
      'Processes that answer requests, beside one that starts several; without it one fewer than the cores, with 1 GB of memory for each, at most 16',
    ),
  workerThreads: whole(1, 64)
    .default(2)
    .describe(
      'Threads that read and render large texts beside the one that answers requests; with two or more no organization takes all of them; up to two more make PDFs',
    ),
  memoryBudget: bytes
    .refine((value) => value >= SMALLEST_BUDGET, 'must be at least 16mb')
    .default(DEFAULT_BUDGET)
    .describe(
      'Memory that all caches of a server hold together, such as 64mb; with more than one worker each takes its part',
    ),
  dataDir: z
    .string()
    .default('./data')
    .transform((path) => resolve(path))
    .describe('Folder for the embedded database, generated keys and local files'),
  embeddedPostgresPrevious: z
    .string()
    .transform((path) => resolve(path))
    .optional()
    .describe(
      'Folder with bin/postgres of the earlier major version that made the embedded database, which moves to the present one at a start; without it npm brings these programs',
    ),
  binderyModules: list
    .default([])
    .describe(
      'Comma-separated packages or paths of modules that are added to the service; a file bindery.config.js may list them as well',
    ),
  secretKey: secretKeys
    .optional()
    .describe(
      'Comma-separated keys, 32 characters or more each; the first signs and encrypts, all verify. Required with DATABASE_URL, else generated once under DATA_DIR',
    )
    .meta({ secret: true }),
  bootstrapToken: z
    .string()
    .regex(/^[\x21-\x7e]{32,200}$/, 'must be 32 to 200 printable characters without spaces')
    .optional()
    .describe('API token of the first administrator, which is not printed; without it one is generated and shown once')
    .meta({ secret: true }),
  bootstrapEmail: z
    .email('must be an e-mail address')
    .default('admin@example.com')
    .describe('E-mail address of the first administrator'),
  bootstrapOrganization: z
    .string()
    .regex(/^.{2,255}$/u, 'must have 2 to 255 characters')
    .default('My organization')
    .describe('Title of the first organization'),
  demo: flag.default(true).describe('The first start imports the folder docs/ as a demo space in a demo site'),
  bodyLimit: bytes.default(10 * 1024 ** 2).describe('Largest request body, such as 10mb'),
  rateLimitPerMinute: whole(0, 10_000_000)
    .default(6000)
    .describe('Requests per minute and token; 0 switches the limit off'),
  rateLimitAnonymousPerMinute: whole(0, 10_000_000)
    .default(600)
    .describe(
      'Requests per minute and address without a token, and as many again of published sites that no cache answers; 0 switches the limit off',
    ),
  cpuSharePerMinute: whole(0, 1_000_000)
    .default(30)
    .describe(
      'Seconds of processor time in the last minute beyond which an organization, or an address without a token, pauses between its requests while other organizations are there; 0 for never',
    ),
  cpuLimitPerMinute: whole(0, 1_000_000)
    .default(0)
    .describe(
      'Seconds of processor time in the last minute beyond which an organization, or an address without a token, is refused on a server; 0 switches the limit off',
    ),
  trustedProxies: checkedList(
    (item) => NAMED_PROXIES.has(item) || isAddressRange(item),
    'must be a comma-separated list of IP addresses, ranges such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
  )
    .default([])
    .describe('Proxies whose X-Forwarded-* headers are believed'),
  corsOrigins: list
    .refine((items) => items.every(isOrigin), { error: ({ input }) => originsFault(input as readonly string[]) })
    .default(['*'])
    .describe('Origins whose pages may call the API from a browser; * for all (cookies never count across origins)'),
  logLevel: z
    .string()
    .toLowerCase()
    .pipe(
      z.enum(
        ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
        'must be one of fatal, error, warn, info, debug, trace, silent',
      ),
    )
    .default('info')
    .describe('Least severity that is logged'),
  metricsToken: z
    .string()
    .min(16, 'must have 16 characters or more')
    .optional()
    .describe('Bearer token that opens /metrics to other machines; without it only loopback may read it')
    .meta({ secret: true }),
  filesStorage: z
    .enum(['local', 's3'], 'must be local or s3')
    .default('local')
    .describe('Where files are kept: local or s3'),
  filesMovedFrom: z
    .enum(['local', 's3'], 'must be local or s3')
    .optional()
    .describe('Former storage, which gives files that FILES_STORAGE does not have yet; see bindery files move'),
  filesDir: z
    .string()
    .transform((path) => resolve(path))
    .optional()
    .describe('Folder of the local file storage; without it DATA_DIR/files'),
  s3Endpoint: httpAddress.optional().describe('Address of an S3-compatible service other than Amazon'),
  s3Region: z.string().default('us-east-1').describe('Region of the bucket'),
  s3Bucket: z.string().optional().describe('Bucket that keeps the files; required with FILES_STORAGE=s3'),
  s3AccessKeyId: z.string().optional().describe('Access key; without it the usual credentials of the machine are used'),
  s3SecretAccessKey: z.string().optional().describe('Secret of the access key').meta({ secret: true }),
  s3ForcePathStyle: flag
    .default(false)
    .describe('Bucket in the path and not in the host name, as most S3-compatible services want'),
  smtpUrl: loginAddress(['smtp:', 'smtps:'], 'smtps://user:password@host:465')
    .optional()
    .describe('Mail server; without it nothing is mailed and links are shown to administrators instead')
    .meta({ secret: true }),
  mailFrom: z
    .string()
    .regex(/^.{3,320}$/u, 'must be a sender such as Documentation <docs@example.com>')
    .optional()
    .describe('Sender of all mail; required with SMTP_URL'),
  outboundAllow: checkedList(
    isAddressRange,
    'must be a comma-separated list of IP addresses or ranges such as 10.1.0.0/16',
  )
    .default([])
    .describe(
      'Private addresses that requests on behalf of callers may reach nevertheless: comma-separated IP addresses or ranges, such as 10.1.0.0/16,192.168.1.7',
    ),
  eventRetentionDays: whole(0, 3650)
    .default(30)
    .describe(
      'Days that an event is kept at least once webhooks have had it; events go when all of their month is older. The audit log is kept apart',
    ),
  shutdownDelay: whole(0, 3600)
    .default(5)
    .describe(
      'Seconds that new connections are still served after SIGTERM, while load balancers turn away from /readyz; 0 for servers without one',
    ),
  shutdownTimeout: whole(1, 3600).default(30).describe('Seconds that open requests are given to finish at shutdown'),
  llmUrl: httpAddress
    .optional()
    .describe(
      'Address of an OpenAI-compatible interface, such as https://api.openai.com/v1 or http://localhost:11434/v1; with one, texts to translate are sent there',
    ),
  llmApiKey: z
    .string()
    .optional()
    .describe('Key of the language model; without it none is sent')
    .meta({ secret: true }),
  llmModel: z.string().optional().describe('Name of the language model; required with LLM_URL'),
  embeddingsUrl: httpAddress
    .optional()
    .describe(
      'Address of an OpenAI-compatible interface whose embeddings compare what customers ask for instead of the built-in model; with one, redacted texts of conversations are sent there',
    ),
  embeddingsApiKey: z
    .string()
    .optional()
    .describe('Key of the embeddings interface; without it none is sent')
    .meta({ secret: true }),
  embeddingsModel: z.string().optional().describe('Name of the embeddings model; required with EMBEDDINGS_URL'),
} as const satisfies Record<string, z.ZodType>;

/**
 * Checks that settings of the platform agree with each other; each line begins with the name of the setting that has to
 * change.
 */
export function platformFaults(values: Readonly<Record<string, unknown>>): string[] {
  const faults = [
    ...required(values, 'databaseUrl', 'databaseDirectUrl'),
    ...required(values, 'databaseUrl', 'databaseReadUrl'),
    ...required(values, 'mailFrom', 'smtpUrl'),
    ...required(values, 'llmModel', 'llmUrl'),
    ...required(values, 'embeddingsModel', 'embeddingsUrl'),
    ...(values['databaseUrl'] !== undefined && values['secretKey'] === undefined
      ? [
          'SECRET_KEY is required with DATABASE_URL, so that all servers of the database agree (for example: openssl rand -hex 32)',
        ]
      : []),
  ];
  const {
    filesStorage,
    filesMovedFrom,
    s3Bucket,
    s3AccessKeyId,
    s3SecretAccessKey,
    port: ownPort,
    publicPort,
    apiUrl,
    publicUrl,
  } = values;
  if (filesStorage === 's3' && s3Bucket === undefined) faults.push('S3_BUCKET is required with FILES_STORAGE=s3');
  if (filesMovedFrom === 's3' && s3Bucket === undefined) faults.push('S3_BUCKET is required with FILES_MOVED_FROM=s3');
  if (filesMovedFrom !== undefined && filesMovedFrom === filesStorage)
    faults.push('FILES_MOVED_FROM must differ from FILES_STORAGE');
  if ((s3AccessKeyId === undefined) !== (s3SecretAccessKey === undefined))
    faults.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together: set both or neither');
  if (ownPort !== undefined && ownPort !== 0 && ownPort === publicPort)
    faults.push('PUBLIC_PORT must differ from PORT');
  faults.push(...appUrlFaults(values));
  if (
    typeof apiUrl === 'string' &&
    typeof publicUrl === 'string' &&
    new URL(apiUrl).origin === new URL(publicUrl).origin
  )
    faults.push(
      'PUBLIC_URL must be another origin than API_URL (another host name or port), so that published pages never run beside the API',
    );
  return faults;
}

/** First segments of paths that the API has itself. */
const OWN_SEGMENTS = /^\/(v1|docs|docs-yaml|openapi\.json|sso|oauth|mcp|healthz|readyz|metrics|\.well-known)(\/|$)/;

/** The cookie of a session is sent to the origin of the API alone, so the workspace must be there. */
function appUrlFaults({ apiUrl, appUrl }: Readonly<Record<string, unknown>>): string[] {
  if (typeof appUrl !== 'string') return [];
  if (typeof apiUrl !== 'string') return ['API_URL is required with APP_URL'];
  const [app, api] = [new URL(appUrl), new URL(apiUrl)];
  if (app.origin !== api.origin) return ['APP_URL must be at the origin of API_URL, to which sessions belong'];
  if (app.pathname === '/' || app.search !== '' || app.hash !== '' || OWN_SEGMENTS.test(app.pathname))
    return ['APP_URL must have a path that the API does not use itself, such as /app, and nothing behind it'];
  return [];
}
