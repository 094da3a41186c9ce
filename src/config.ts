import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const MINIMUM_SECRET_LENGTH = 32;
const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };
const NAMED_PROXIES = new Set(['loopback', 'linklocal', 'uniquelocal']);

const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false', '1', '0', 'yes', 'no', 'on', 'off'], 'must be true or false'))
  .transform((text) => ['true', '1', 'yes', 'on'].includes(text));

const whole = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be a whole number from ${minimum} to ${maximum}`);

const port = whole(0, 65_535);

const bytes = z
  .string()
  .regex(/^\d+\s*(b|kb|mb|gb)?$/i, 'must be a size such as 500kb, 10mb or 1048576')
  .transform((text) => {
    const [, amount = '0', unit = ''] = /^(\d+)\s*([a-z]*)$/i.exec(text) ?? [];
    return Number(amount) * (SIZE_UNITS[unit.toLowerCase()] ?? 1);
  })
  .refine((value) => value > 0 && value <= 1024 ** 3, 'must be more than nothing and at most 1gb');

const ENGINES = ['deepl', 'llm', 'libretranslate', 'bergamot', 'apertium'] as const;
/** A translation engine as `TRANSLATION_ENGINES` names it. */
export type TranslationEngineName = (typeof ENGINES)[number];
const isEngine = (name: string): name is TranslationEngineName => ENGINES.some((engine) => engine === name);

const isUrl = (text: string, protocols: readonly string[]): boolean => {
  try {
    return protocols.includes(new URL(text).protocol);
  } catch {
    return false;
  }
};

/** An address with a user and a password that is read as it was meant: an unescaped /, ? or # in the password would end the host, and leave its @ behind. */
const loginAddress = (protocols: readonly string[], example: string) =>
  z
    .string()
    .refine(
      (text) => isUrl(text, protocols) && /^\w+:\/\/[^/?#]*([/?#][^@]*)?$/.test(text) && isDecodable(text),
      `must be an address such as ${example}, with % codes for special characters of the password (%40 for @, %2F for /, %3F for ?, %23 for #, %25 for %)`,
    );

const isDecodable = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
};

const isWebAddress = (text: string): boolean => isUrl(text, ['http:', 'https:']);

/** The address that was meant by one without its scheme, such as `docs.example.com`. */
const completed = (text: string): string | undefined =>
  /^[\w.-]+(:\d+)?(\/[^@]*)?$/.test(text) && isWebAddress(`https://${text}`) ? `https://${text}` : undefined;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A place that a code may be sent to without others reading it on the way: by https, or on the machine of the browser (RFC 8252, 7.3). */
const isReturnUrl = (text: string): boolean => {
  if (!isWebAddress(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  return (protocol === 'https:' || LOOPBACK.test(hostname)) && [username, password, hash].every((part) => part === '');
};

const webAddress = z
  .string()
  .refine(isWebAddress, {
    error: ({ input }) =>
      `must be an address that begins with http:// or https://, such as ${completed(String(input)) ?? 'https://docs.example.com'}`,
  })
  .transform((text) => text.replace(/\/+$/, ''));

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** A list whose items all are of a kind; the fault names those that are not. */
const listOf = (isOne: (item: string) => boolean, fault: string) =>
  list.refine((items) => items.every(isOne), {
    error: ({ input }) =>
      `${fault}; not ${(input as readonly string[])
        .filter((item) => !isOne(item))
        .map(withoutPassword)
        .join(', ')}`,
  });

const withoutPassword = (text: string): string => text.replace(/\/\/[^/]*@/, '//');

/** An IP address, or a range in CIDR notation. */
const isAddressRange = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
};

const isOrigin = (text: string): boolean => text === '*' || (isWebAddress(text) && new URL(text).origin === text);

/** What to write instead of origins with a path, a final slash or capitals, or without their scheme. */
function originsFault(items: readonly string[]): string {
  const addresses = items
    .filter((item) => !isOrigin(item))
    .flatMap((item) => (isWebAddress(item) ? item : (completed(item) ?? [])));
  const meant =
    addresses.length === 0 ? '' : `: write ${addresses.map((address) => new URL(address).origin).join(', ')}`;
  return `must be * or a comma-separated list of origins such as https://docs.example.com, without a path or a slash at the end${meant}`;
}

const secretKeys = list.refine(
  (keys) => keys.length > 0 && keys.every((key) => key.length >= MINIMUM_SECRET_LENGTH),
  `must be one key or a comma-separated list of keys of at least ${MINIMUM_SECRET_LENGTH} characters each; openssl rand -hex 32 makes one`,
);

/**
 * Every setting, in the order of `.env.example`. The environment variable of `databaseUrl` is `DATABASE_URL`; what
 * `describe` says is the meaning that `bindery serve --help` prints.
 */
export const settings = {
  host: z.string().default('127.0.0.1').describe('Address that both listeners bind to; 0.0.0.0 for every interface'),
  port: port.default(3000).describe('Port of the API; 0 takes any free port'),
  publicPort: port.optional().describe('Port of files and published sites; without it the next free port above PORT'),
  apiUrl: webAddress
    .optional()
    .describe('Address under which clients reach the API; without it derived from HOST and PORT'),
  publicUrl: webAddress
    .optional()
    .describe(
      'Address under which readers reach files and published sites; without it derived from HOST and PUBLIC_PORT',
    ),
  databaseUrl: loginAddress(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database')
    .optional()
    .describe('PostgreSQL 15 or newer, UTF8; without it the server runs its own PostgreSQL under DATA_DIR'),
  databasePoolSize: whole(2, 500).default(10).describe('Largest number of connections to the database of one server'),
  databaseTimeout: whole(1, 3600)
    .default(120)
    .describe('Seconds that one statement may take, and that a silent database is waited for'),
  workerThreads: whole(1, 64)
    .default(2)
    .describe(
      'Threads that read and render large texts beside the one that answers requests; with two or more no organization takes all of them; up to two more make PDFs',
    ),
  dataDir: z
    .string()
    .default('./data')
    .transform((path) => resolve(path))
    .describe('Folder for the embedded database, generated keys and local files'),
  secretKey: secretKeys
    .optional()
    .describe(
      'Comma-separated keys, 32 characters or more each; the first signs and encrypts, all verify. Required with DATABASE_URL, else generated once under DATA_DIR',
    ),
  bootstrapToken: z
    .string()
    .regex(/^[\x21-\x7e]{32,200}$/, 'must be 32 to 200 printable characters without spaces')
    .optional()
    .describe('API token of the first administrator, which is not printed; without it one is generated and shown once'),
  bootstrapEmail: z
    .email('must be an e-mail address')
    .default('admin@example.com')
    .describe('E-mail address of the first administrator'),
  bootstrapOrganization: z
    .string()
    .regex(/^.{2,255}$/u, 'must have 2 to 255 characters')
    .default('My organization')
    .describe('Title of the first organization'),
  demo: flag.default(true).describe('Whether the first start imports the folder docs/ as a demo space in a demo site'),
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
  pagesPerSpace: whole(1, 10_000_000).default(100_000).describe('Pages that a space holds at most'),
  filesPerSpace: whole(1, 10_000_000).default(100_000).describe('Files that a space holds at most'),
  trustedProxies: listOf(
    (item) => NAMED_PROXIES.has(item) || isAddressRange(item),
    'must be a comma-separated list of IP addresses, ranges such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
  )
    .default([])
    .describe('Proxies whose X-Forwarded-* headers are believed'),
  corsOrigins: list
    .refine((items) => items.every(isOrigin), { error: ({ input }) => originsFault(input as readonly string[]) })
    .default(['*'])
    .describe('Origins whose pages may call the API from a browser; * for all (cookies never count across origins)'),
  ssoReturnUrls: listOf(
    isReturnUrl,
    'must be a comma-separated list of addresses such as https://app.example.com/login, by https (by http only to localhost, 127.0.0.1 and [::1], for applications on the machine of the browser), without name, password or part after #',
  )
    .default([])
    .describe(
      'Addresses of applications that single sign-on may return to with a code: comma-separated, by https or on the machine of the browser, each with its path; queries are free',
    ),
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
    .describe('Bearer token that opens /metrics to other machines; without it only loopback may read it'),
  filesStorage: z
    .enum(['local', 's3'], 'must be local or s3')
    .default('local')
    .describe('Where files are kept: local or s3'),
  filesDir: z
    .string()
    .transform((path) => resolve(path))
    .optional()
    .describe('Folder of the local file storage; without it DATA_DIR/files'),
  s3Endpoint: webAddress.optional().describe('Address of an S3-compatible service other than Amazon'),
  s3Region: z.string().default('us-east-1').describe('Region of the bucket'),
  s3Bucket: z.string().optional().describe('Bucket that keeps the files; required with FILES_STORAGE=s3'),
  s3AccessKeyId: z.string().optional().describe('Access key; without it the usual credentials of the machine are used'),
  s3SecretAccessKey: z.string().optional().describe('Secret of the access key'),
  s3ForcePathStyle: flag
    .default(false)
    .describe('Bucket in the path and not in the host name, as most S3-compatible services want'),
  smtpUrl: loginAddress(['smtp:', 'smtps:'], 'smtps://user:password@host:465')
    .optional()
    .describe('Mail server; without it nothing is mailed and links are shown to administrators instead'),
  mailFrom: z
    .string()
    .regex(/^.{3,320}$/u, 'must be a sender such as Documentation <docs@example.com>')
    .optional()
    .describe('Sender of all mail; required with SMTP_URL'),
  importMaxBytes: bytes.default(256 * 1024 ** 2).describe('Largest file that an import takes, such as 256mb'),
  importMaxPages: whole(1, 10_000).default(200).describe('Pages of a website that one import fetches at most'),
  sentenceModel: flag
    .default(true)
    .describe(
      'Whether the built-in model of sentences compares what customers ask for: better clusters, for more time and 300 MB of memory while it works',
    ),
  embeddingsUrl: webAddress
    .optional()
    .describe(
      'Address of an OpenAI-compatible interface whose embeddings compare what customers ask for instead; with one, redacted texts of conversations are sent there',
    ),
  embeddingsApiKey: z.string().optional().describe('Key of the embeddings interface; without it none is sent'),
  embeddingsModel: z.string().optional().describe('Name of the embeddings model; required with EMBEDDINGS_URL'),
  conversationsLlm: flag
    .default(false)
    .describe(
      'Whether the language model of LLM_URL words issues and clusters of conversations; redacted texts of conversations are sent there',
    ),
  outboundAllow: listOf(isAddressRange, 'must be a comma-separated list of IP addresses or ranges such as 10.1.0.0/16')
    .default([])
    .describe(
      'Private addresses that requests on behalf of callers may reach nevertheless: comma-separated IP addresses or ranges, such as 10.1.0.0/16,192.168.1.7',
    ),
  translationEngines: listOf(isEngine, `must be a comma-separated list of ${ENGINES.join(', ')}`)
    .refine((names) => new Set(names).size === names.length, 'must name each engine once')
    .transform((names) => names.filter(isEngine))
    .default([...ENGINES])
    .describe(
      'Translation engines that may be used; the first that is configured and has the pair of languages is taken',
    ),
  deeplApiKey: z.string().optional().describe('Key of the API of DeepL; with one, texts are sent there'),
  deeplUrl: webAddress
    .optional()
    .describe('Address of the API of DeepL; without it the one that the key is for, of the free or the paid plan'),
  llmUrl: webAddress
    .optional()
    .describe(
      'Address of an OpenAI-compatible interface, such as https://api.openai.com/v1 or http://localhost:11434/v1; with one, texts are sent there',
    ),
  llmApiKey: z.string().optional().describe('Key of the language model; without it none is sent'),
  llmModel: z.string().optional().describe('Name of the language model; required with LLM_URL'),
  libretranslateUrl: webAddress
    .optional()
    .describe('Address of a LibreTranslate server, such as http://localhost:5000; with one, texts are sent there'),
  libretranslateApiKey: z.string().optional().describe('Key of the LibreTranslate server, where it wants one'),
  bergamotModels: z
    .string()
    .transform((path) => resolve(path))
    .optional()
    .describe(
      'Folder of translation models of Firefox (Bergamot), with one folder for each pair of languages, such as en-es',
    ),
  apertiumModes: z
    .string()
    .default('/usr/share/apertium/modes')
    .transform((path) => resolve(path))
    .describe(
      'Folder of the modes of Apertium, the translation engine of this machine; one without modes switches it off',
    ),
  retentionDays: whole(0, 3650)
    .default(7)
    .describe('Days that a deleted space stays in the trash before it is removed for good'),
  auditRetentionDays: whole(30, 3650).default(400).describe('Days that the audit log is kept, 30 at least'),
  eventRetentionDays: whole(0, 3650)
    .default(30)
    .describe('Days that an event is kept once webhooks have had it; the audit log is kept apart'),
  insightsRetentionDays: whole(0, 3650)
    .default(400)
    .describe('Days that what readers of sites did is kept; 0 keeps nothing'),
  insightsBatchesPerMinute: whole(0, 1_000_000)
    .default(600)
    .describe('Batches of events of readers per minute and site that the API takes; 0 switches the limit off'),
  visitorTokenMaxMinutes: whole(1, 5_256_000)
    .default(43_200)
    .describe('Minutes that the tokens of visitors may still be valid; one whose exp is further ahead is refused'),
  translationDelay: whole(0, 86_400)
    .default(10)
    .describe(
      'Seconds after a change of a space until its translations follow; what changes meanwhile is part of the same run',
    ),
  shutdownDelay: whole(0, 3600)
    .default(5)
    .describe(
      'Seconds that new connections are still served after SIGTERM, while load balancers turn away from /readyz; 0 for servers without one',
    ),
  shutdownTimeout: whole(1, 3600).default(30).describe('Seconds that open requests are given to finish at shutdown'),
} as const satisfies Record<string, z.ZodType>;

type Setting = keyof typeof settings;
type Parsed = { readonly [Name in Setting]: z.output<(typeof settings)[Name]> };

/** The checked configuration: sizes in bytes, times in the unit that the setting's description names, folders absolute. */
export type Config = Omit<Parsed, 'filesDir' | 'secretKey'> & {
  readonly filesDir: string;
  /** Never empty once the server runs: on the embedded database the generated key is filled in before anything is started. */
  readonly secretKey: readonly string[];
};

/** Settings whose values must never be logged or printed. */
const secretSettings = [
  'databaseUrl',
  'secretKey',
  'bootstrapToken',
  'metricsToken',
  's3SecretAccessKey',
  'smtpUrl',
  'deeplApiKey',
  'llmApiKey',
  'embeddingsApiKey',
  'libretranslateApiKey',
] as const satisfies readonly Setting[];

/** `databaseUrl` -> `DATABASE_URL`. */
export const environmentName = (setting: string): string =>
  setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Names of the environment variables that are secret, for redaction. */
export const secretEnvironmentNames: readonly string[] = secretSettings.map(environmentName);

/** The values of the secret settings, which must never be seen anywhere: of addresses their passwords. */
export function secretsOf(config: Partial<Config>): string[] {
  return secretSettings.flatMap((name) => {
    const value = config[name];
    if (typeof value !== 'string') return [...(value ?? [])];
    return name.endsWith('Url') ? passwordsOf(value) : [value];
  });
}

/** The password of an address as it is written and as it is meant, which need not be possible. */
function passwordsOf(address: string): string[] {
  const { password } = new URL(address);
  if (password === '') return [];
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}

/** All that is wrong with the configuration; `faults` has one line per setting, the message all of them. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

const isSetting = (name: string): name is Setting => Object.hasOwn(settings, name);

/** What one setting needs of the others. Each rule names the setting that has to change. */
function crossFaults(parsed: Partial<Parsed>): string[] {
  const faults: string[] = [];
  if (parsed.filesStorage === 's3' && parsed.s3Bucket === undefined)
    faults.push('S3_BUCKET is required with FILES_STORAGE=s3');
  if ((parsed.s3AccessKeyId === undefined) !== (parsed.s3SecretAccessKey === undefined)) {
    faults.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together: set both or neither');
  }
  if (parsed.smtpUrl !== undefined && parsed.mailFrom === undefined) faults.push('MAIL_FROM is required with SMTP_URL');
  if (parsed.embeddingsUrl !== undefined && parsed.embeddingsModel === undefined)
    faults.push('EMBEDDINGS_MODEL is required with EMBEDDINGS_URL');
  if (parsed.conversationsLlm === true && parsed.llmUrl === undefined)
    faults.push('LLM_URL is required with CONVERSATIONS_LLM');
  if (parsed.llmUrl !== undefined && parsed.llmModel === undefined) faults.push('LLM_MODEL is required with LLM_URL');
  if (parsed.port !== undefined && parsed.port !== 0 && parsed.port === parsed.publicPort)
    faults.push('PUBLIC_PORT must differ from PORT');
  if (
    parsed.apiUrl !== undefined &&
    parsed.publicUrl !== undefined &&
    new URL(parsed.apiUrl).origin === new URL(parsed.publicUrl).origin
  ) {
    faults.push(
      'PUBLIC_URL must be another origin than API_URL (another host name or port), so that published pages never run beside the API',
    );
  }
  return faults;
}

/**
 * Checks the environment against `settings`. Empty variables count as absent.
 * @throws ConfigError with every fault at once; values of secrets are never part of a fault.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(settings)) {
    const text = env[environmentName(name)]?.trim();
    const result = schema.safeParse(text === '' ? undefined : text);
    if (result.success) values[name] = result.data;
    else
      faults.push(
        `${environmentName(name)} ${[...new Set(result.error.issues.map((issue) => issue.message))].join('; ')}`,
      );
  }
  const faulty = new Set(faults.map((fault) => fault.split(' ', 1)[0]));
  const parsed = values as Parsed;
  if (parsed.databaseUrl !== undefined && parsed.secretKey === undefined && !faulty.has('SECRET_KEY')) {
    faults.push(
      'SECRET_KEY is required with DATABASE_URL, so that all servers of the database agree (for example: openssl rand -hex 32)',
    );
  }
  faults.push(...crossFaults(parsed).filter((fault) => !faulty.has(fault.split(' ', 1)[0])));
  if (faults.length > 0) throw new ConfigError(faults);
  return { ...parsed, secretKey: parsed.secretKey ?? [], filesDir: parsed.filesDir ?? join(parsed.dataDir, 'files') };
}

/** The keys in the file of generated ones, which may be rotated as `SECRET_KEY` is. Throws `ConfigError`. */
export function keysOfFile(path: string, text: string): readonly string[] {
  const result = secretKeys.safeParse(text);
  if (!result.success)
    throw new ConfigError([`${path} ${[...new Set(result.error.issues.map(({ message }) => message))].join('; ')}`]);
  return result.data;
}

/** The names, meanings and secrecy of all settings, for help texts and the check of `.env.example`. */
export function describeSettings(): { variable: string; description: string; secret: boolean }[] {
  const secrets: ReadonlySet<string> = new Set(secretSettings);
  return Object.keys(settings)
    .filter(isSetting)
    .map((name) => ({
      variable: environmentName(name),
      description: settings[name].description ?? '',
      secret: secrets.has(name),
    }));
}

/** The injection token of the checked configuration. */
export const CONFIG = Symbol('configuration');
