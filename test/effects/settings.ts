import { effect, type Effect } from './effect.js';

/** Which test shows what each setting of the environment changes. */
export const SETTINGS: readonly Effect[] = [
  effect(
    'faults/start › listens at HOST and PORT alone, and hands out the addresses that are set',
    'HOST PORT PUBLIC_PORT API_URL PUBLIC_URL APP_URL',
  ),
  effect(
    'faults/start › happens once although two servers start at the same time on one external database, and no embedded database is made',
    'DATABASE_URL',
  ),
  effect(
    'security/database-faults › has half of the connections of a server, and the others are answered meanwhile',
    'DATABASE_POOL_SIZE',
  ),
  effect(
    'security/database-faults › waits neither for a silent network nor for a statement that takes too long',
    'DATABASE_TIMEOUT',
  ),
  effect(
    'cluster/pooler › listen to the database where its address is given, and never through the pooler',
    'DATABASE_DIRECT_URL',
  ),
  effect(
    'cluster/read-replicas › never show less than what either of them has acknowledged, and read most of it from the replica',
    'DATABASE_READ_URL',
  ),
  effect(
    'cluster/read-statements › do not go to a replica that is far behind, which is known by its lag',
    'DATABASE_READ_MAX_LAG',
  ),
  effect(
    'cluster/read-statements › go on without the primary for a bounded time, and never on a replica that was far behind',
    'DATABASE_READ_AWAY_SECONDS',
  ),
  effect('cluster/pooler › find out by themselves what the pooler keeps', 'DATABASE_PREPARED'),
  effect(
    'faults/workers › share the ports, the limits and the metrics; one that is killed is replaced while requests go on; all end together',
    'WORKERS',
  ),
  effect('worker-pool › leaves a thread to others while one party has many texts', 'WORKER_THREADS'),
  effect('memory-budget › is kept by a server that reads more than that, page after page', 'MEMORY_BUDGET'),
  effect('faults/start › a data directory that cannot be written', 'DATA_DIR'),
  effect(
    'faults/major-upgrade › go on after the move of the database, with everything that was acknowledged',
    'EMBEDDED_POSTGRES_PREVIOUS',
  ),
  effect('added-modules › are told with the reason where one cannot be loaded', 'BINDERY_MODULES'),
  effect(
    'security/keys › reads what the old one sealed and signed, and waits with sealing anew until no server has the old one in front',
    'SECRET_KEY',
  ),
  effect(
    'faults/start › takes token, address and title from the environment',
    'BOOTSTRAP_TOKEN BOOTSTRAP_EMAIL BOOTSTRAP_ORGANIZATION',
  ),
  effect('faults/start › is made of docs/ at the first start: a space in a published site', 'DEMO'),
  effect('limits › is as large as BODY_LIMIT, with at most 50 changes', 'BODY_LIMIT'),
  effect(
    'ratelimit › tells every answer how the budget stands',
    'RATE_LIMIT_PER_MINUTE RATE_LIMIT_ANONYMOUS_PER_MINUTE',
  ),
  effect(
    'ratelimit › pause for as long as the last one has worked, once an organization has used more than its share beside others',
    'CPU_SHARE_PER_MINUTE',
  ),
  effect(
    'ratelimit › are refused beyond the limit of a minute, alone or not, until enough of it has passed',
    'CPU_LIMIT_PER_MINUTE',
  ),
  effect(
    'security/headers › changes neither limits, hosts, cookies nor addresses where no proxy is trusted, and hosts and cookies only where one is',
    'TRUSTED_PROXIES',
  ),
  effect('security/headers › that are listed are let in by name, and none that looks like them', 'CORS_ORIGINS'),
  effect('platform › goes to standard output, and beside the results of commands to standard error', 'LOG_LEVEL'),
  effect('platform › shows metrics on this machine and for the token only', 'METRICS_TOKEN'),
  effect(
    'storage › is asked where and as whom the settings say',
    'FILES_STORAGE S3_ENDPOINT S3_REGION S3_BUCKET S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY S3_FORCE_PATH_STYLE',
  ),
  effect('imports › is done by another one, once, whatever the first does when it comes back', 'FILES_DIR'),
  effect(
    'faults/files-move › moves all files while the service gives them, and no longer needs the former storage then',
    'FILES_MOVED_FROM',
  ),
  effect('invites › go out by a job, are shown to nobody else, and prove the address', 'SMTP_URL MAIL_FROM'),
  effect('security/outbound › opens what the operator allows, no more', 'OUTBOUND_ALLOW'),
  effect(
    'platform › go in batches of 1,000 once every consumer has had them and their time has passed',
    'EVENT_RETENTION_DAYS',
  ),
  effect(
    'faults/start › begins with a readiness that fails, while SIGTERM lets both listeners serve for SHUTDOWN_DELAY seconds; Ctrl+C does not wait',
    'SHUTDOWN_DELAY',
  ),
  effect('faults/start › does not wait longer than SHUTDOWN_TIMEOUT', 'SHUTDOWN_TIMEOUT'),
  effect(
    'conversation-engine › give vectors and words, and are done without where they fail',
    '{LLM,EMBEDDINGS}_{URL,API_KEY,MODEL} CONVERSATIONS_LLM',
  ),
  effect(
    'security/saml › goes back to an allowed application with a code that works once, for a minute',
    'SSO_RETURN_URLS',
  ),
  effect('access › stay in the trash for as long as RETENTION_DAYS says, and come back until then', 'RETENTION_DAYS'),
  effect('limits › is at most so many pages, however they come', 'PAGES_PER_SPACE'),
  effect('limits › is at most so many files, reusable contents and variables', 'FILES_PER_SPACE'),
  effect(
    'search-vectors › finds pages that mean the same in other words, behind those with the words, and shows the section that does',
    'SEARCH_VECTORS',
  ),
  effect('answers › name the source of each sentence, and say how they came about', 'ANSWERS_LLM'),
  effect(
    'answers › let the model write ten a minute for one person, and those of the setting for an organization',
    'ANSWERS_PER_MINUTE',
  ),
  effect('custom-hostnames › is not asked where the operator says that hostnames need no record', 'HOSTNAME_DNS_CHECK'),
  effect(
    'custom-hostnames › is served once DNS shows that it leads here, and says until then what to do',
    'HOSTNAME_TARGETS',
  ),
  effect(
    'custom-hostnames › are got by the answers that an ACME client leaves, which no site is in the way of',
    'ACME_WEBROOT',
  ),
  effect(
    'site-insights › comes from published pages in bulk, and goes when it is old or its site is gone',
    'INSIGHTS_RETENTION_DAYS',
  ),
  effect(
    'site-insights › is taken in bounded batches of whole events, by members and no faster than allowed',
    'INSIGHTS_BATCHES_PER_MINUTE',
  ),
  effect('site-mcp › are no tools unless an operator allows the server', 'MCP_API_ORIGINS'),
  effect('site-mcp › change something only at servers where an operator allows that', 'MCP_API_WRITE_ORIGINS'),
  effect(
    'audience › 3b-13 refuse a token that is valid for longer than the setting allows, to the second',
    'VISITOR_TOKEN_MAX_MINUTES',
  ),
  effect(
    'announced-changes › may ask the database at each request where nothing may be late',
    'PUBLISHED_DELAY_SECONDS',
  ),
  effect(
    'announced-changes › go on being served for a while without the database; no other page and no site of a limited audience is',
    'PUBLISHED_AWAY_SECONDS',
  ),
  effect(
    'published-store › are there after a start, with the bytes of a fresh rendering, also after changes of other pages',
    'PUBLISHED_PAGES_DISK_MB',
  ),
  effect(
    'shared-cache › may stand in caches for as long as the setting says, under the tags of their site, space and page',
    'SHARED_CACHE_SECONDS',
  ),
  effect(
    'backup-targets › is the passphrase of a setting, or the bytes of the file that another names',
    'BACKUP_KEY BACKUP_KEY_FILE',
  ),
  effect('shared-cache › have the forms of Varnish, Fastly and Cloudflare', 'SHARED_CACHE_PURGE SHARED_CACHE_TOKEN'),
  effect(
    'translation-services › follows the order of the setting, and goes on where a pair is missing',
    'TRANSLATION_ENGINES LIBRETRANSLATE_URL',
  ),
  effect('translation-services › has the keys of the settings', 'DEEPL_API_KEY DEEPL_URL LIBRETRANSLATE_API_KEY'),
  effect('translation-engines › are found in the folders of the settings', 'BERGAMOT_MODELS APERTIUM_MODES'),
  effect('translations › begin as long after a change as the setting says', 'TRANSLATION_DELAY'),
  effect('conversation-engine › tells apart what has no word in common with the sentence model', 'SENTENCE_MODEL'),
  effect(
    'imports › is offered to members, of a limited size, and to fonts only as fonts; a font is served to everybody',
    'IMPORT_MAX_BYTES',
  ),
  effect('openapi-registry › accepts such faults unless a source says otherwise', 'OPENAPI_TOLERANT'),
  effect('organization-runs › takes no archive that is larger than the setting', 'ORGANIZATION_IMPORT_MAX_BYTES'),
  effect('git-sync › looks at the branch now and then where no hook tells of changes', 'GIT_POLL_SECONDS'),
  effect('imports › leaves out what is too much, and fails where nothing is to be had', 'IMPORT_MAX_PAGES'),
  effect(
    'notification-letters › collect what happens within the time of the setting, tell nothing twice, and nothing that was read meanwhile',
    'NOTIFICATION_MAIL_DELAY',
  ),
  effect(
    'notification-letters › come once a day or week where that is wanted, without kinds that are switched off',
    'NOTIFICATION_DIGEST_HOUR',
  ),
  effect('security/audit › forgets what is older than it is kept, in steps', 'AUDIT_RETENTION_DAYS'),
];
