import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, type Config, keysOfFile, secretsOf } from '../src/kernel/platform/config/config.js';
import { describeSettings, loadConfig } from '../src/config.js';
import { environmentName } from '../src/kernel/platform/config/setting-schemas.js';

const secretEnvironmentNames = describeSettings().flatMap(({ variable, secret }) => (secret ? [variable] : []));
const KEY = 'k'.repeat(32);

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  const example = readFileSync('.env.example', 'utf8');

  it('needs no setting at all', () => {
    expect(loadConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: resolve('data'),
      filesDir: resolve('data', 'files'),
      bodyLimit: 10 * 1024 * 1024,
      demo: true,
      retentionDays: 7,
      filesStorage: 'local',
      secretKey: [],
    });
    expect(loadConfig({}).databaseUrl).toBeUndefined();
  });

  it.each<[string, string, keyof Config, unknown]>([
    ['BODY_LIMIT', '512kb', 'bodyLimit', 524_288],
    ['BODY_LIMIT', '1048576', 'bodyLimit', 1_048_576],
    ['DEMO', 'no', 'demo', false],
    ['DEMO', '1', 'demo', true],
    ['DEMO', 'False', 'demo', false],
    ['LOG_LEVEL', 'WARN', 'logLevel', 'warn'],
    ['PORT', '0', 'port', 0],
    ['PUBLIC_URL', 'https://docs.example.com/', 'publicUrl', 'https://docs.example.com'],
    ['SECRET_KEY', `${KEY}, ${KEY}2`, 'secretKey', [KEY, `${KEY}2`]],
    ['TRUSTED_PROXIES', 'loopback, 10.0.0.0/8,fd00::/8', 'trustedProxies', ['loopback', '10.0.0.0/8', 'fd00::/8']],
    [
      'CORS_ORIGINS',
      'https://a.example,http://localhost:8080',
      'corsOrigins',
      ['https://a.example', 'http://localhost:8080'],
    ],
    [
      'SSO_RETURN_URLS',
      'https://app.example.com/login, http://127.0.0.1/cb,http://localhost:8080/cb,http://[::1]/cb',
      'ssoReturnUrls',
      ['https://app.example.com/login', 'http://127.0.0.1/cb', 'http://localhost:8080/cb', 'http://[::1]/cb'],
    ],
    ['OUTBOUND_ALLOW', '192.168.1.7', 'outboundAllow', ['192.168.1.7']],
    ['MCP_API_ORIGINS', '', 'mcpApiOrigins', []],
    [
      'MCP_API_ORIGINS',
      'https://a.example, http://10.0.0.1:81',
      'mcpApiOrigins',
      ['https://a.example', 'http://10.0.0.1:81'],
    ],
    ['DATA_DIR', '/srv/docs', 'filesDir', join('/srv/docs', 'files')],
    ['LOG_LEVEL', '', 'logLevel', 'info'],
    ['BOOTSTRAP_EMAIL', '  ada@example.org ', 'bootstrapEmail', 'ada@example.org'],
  ])('reads %s=%s', (variable, text, name, value) => {
    expect(loadConfig({ [variable]: text })[name]).toEqual(value);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3e3'],
    ['DEMO', 'maybe'],
    ['BODY_LIMIT', 'ten'],
    ['BODY_LIMIT', '2gb'],
    ['DATABASE_POOL_SIZE', '1'],
    ['API_URL', 'docs.example.com'],
    ['API_URL', 'ftp://docs.example.com'],
    ['DATABASE_URL', 'mysql://localhost/docs'],
    ['SECRET_KEY', `${KEY},short`],
    ['SECRET_KEY', ','],
    ['BOOTSTRAP_TOKEN', 'has spaces in it, and these are not printable as a bearer token'],
    ['BOOTSTRAP_EMAIL', 'nobody'],
    ['BOOTSTRAP_ORGANIZATION', 'x'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'proxy.example.com'],
    ['CORS_ORIGINS', 'https://a.example/path'],
    ['SSO_RETURN_URLS', 'https://app.example.com/login,http://app.example.com/login'],
    ['SSO_RETURN_URLS', 'com.example.app:/login'],
    ['SSO_RETURN_URLS', 'https://app.example.com/login#token'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_TOKEN', 'short'],
    ['FILES_STORAGE', 'ftp'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['OUTBOUND_ALLOW', '10.0.0.0/8/8'],
    ['MCP_API_ORIGINS', '*'],
    ['MCP_API_ORIGINS', 'https://api.example.com/v1'],
    ['MCP_API_WRITE_ORIGINS', 'api.example.com'],
    ['SHUTDOWN_TIMEOUT', '0'],
  ])('refuses %s=%s and names the variable', (variable, text) => {
    const faults = faultsOf({
      [variable]: text,
      MAIL_FROM: 'docs@example.com',
      SECRET_KEY: KEY,
      ...{ [variable]: text },
    });
    expect(faults).toHaveLength(1);
    expect(faults[0]?.startsWith(`${variable} `)).toBe(true);
  });

  it.each([
    ['CORS_ORIGINS', 'https://a.example/', /a slash at the end: write https:\/\/a\.example$/],
    [
      'CORS_ORIGINS',
      '*,https://me:secret@A.example:8443/docs?x, b.example, ftp://c.example',
      /: write https:\/\/a\.example:8443, https:\/\/b\.example$/,
    ],
    ['CORS_ORIGINS', 'ftp://c.example', /without a path or a slash at the end$/],
    ['API_URL', 'docs.example.com:8443/api', /such as https:\/\/docs\.example\.com:8443\/api$/],
    ['API_URL', 'ftp://docs', /such as https:\/\/docs\.example\.com$/],
    [
      'TRUSTED_PROXIES',
      'loopback, proxy.example.com,10.0.0.0/33',
      /uniquelocal; not proxy\.example\.com, 10\.0\.0\.0\/33$/,
    ],
    ['OUTBOUND_ALLOW', '10.0.0.0/8,http://me:secret@intranet', /; not http:\/\/intranet$/],
    ['SSO_RETURN_URLS', 'https://a.example/login,app.example.com', /; not app\.example\.com$/],
    ['TRANSLATION_ENGINES', 'deepl,google', /apertium; not google$/],
    ['TRANSLATION_ENGINES', 'deepl,deepl', /once$/],
    ['SECRET_KEY', 'short', /openssl rand -hex 32/],
    ['DATABASE_URL', 'postgres://docs:hunter2/7@db:5432/docs', /%2F for \//],
  ])('says what to write instead of %s=%s', (variable, text, words) => {
    const faults = faultsOf({ SECRET_KEY: KEY, [variable]: text });
    expect(faults).toEqual([expect.stringMatching(words)]);
    expect(faults[0]).not.toMatch(/secret@|hunter2/);
  });

  it.each([
    ['DATABASE_URL', 'postgres'],
    ['SMTP_URL', 'smtps'],
  ])('takes a password in %s only where it is read as it was meant', (variable, scheme) => {
    const env = (password: string) => ({
      SECRET_KEY: KEY,
      MAIL_FROM: 'docs@example.com',
      [variable]: `${scheme}://docs:${password}@host:465/docs`,
    });
    for (const password of ['4711/a', '4711?a', '4711#a', 'a/b', 'a@b/c', 'a@4711/c', '100%', '%zz', '%ff']) {
      expect([password, faultsOf(env(password))]).toEqual([password, [expect.stringMatching(/%40 for @, %2F for \//)]]);
      expect(faultsOf(env(password))[0]?.replace(/such as .*$/, '')).not.toMatch(/4711|zz|ff|docs/);
    }
    for (const password of ['a', '', 'a%2Fb', 'a%40b%23%3F%25', 'a@b', 'a:b', 'ä', '4711'])
      expect([password, faultsOf(env(password))]).toEqual([password, []]);
    expect(faultsOf({ SECRET_KEY: KEY, DATABASE_URL: 'postgresql:///docs?host=/var/run/postgresql' })).toEqual([]);
    expect(faultsOf({ SECRET_KEY: KEY, DATABASE_URL: 'postgres://host/docs?sslmode=require' })).toEqual([]);
  });

  it('takes several hosts of a database, one of which must accept changes', () => {
    const faults = (DATABASE_URL: string) => faultsOf({ SECRET_KEY: KEY, DATABASE_URL });
    for (const address of [
      'postgres://u:p@a:5432,b:5433/docs?target_session_attrs=read-write',
      'postgres://u@a,b,[::1]:5432/docs?sslmode=require&target_session_attrs=primary',
      'postgres://a,b/docs',
    ])
      expect([address, faults(address)]).toEqual([address, []]);
    expect(faults('postgres://a,b/docs?target_session_attrs=any')).toEqual([
      expect.stringMatching(/^DATABASE_URL must have target_session_attrs=read-write, or none/),
    ]);
    expect(faults('postgres://a,/docs')).toEqual(['DATABASE_URL must have a host before and behind each comma']);
    for (const address of ['postgres://a:b,c/docs', 'postgres://u:p/w@a,b/docs'])
      expect([address, faults(address)]).toEqual([
        address,
        [expect.stringMatching(/^DATABASE_URL must be an address/)],
      ]);
    expect(faultsOf({ DATABASE_DIRECT_URL: 'postgres://a/docs' })).toEqual([
      'DATABASE_URL is required with DATABASE_DIRECT_URL',
    ]);
  });

  it('names all faults at once, one line each', () => {
    const env = {
      PORT: 'http',
      DATABASE_URL: 'postgres://localhost/docs',
      FILES_STORAGE: 's3',
      SMTP_URL: 'smtp://localhost',
      S3_ACCESS_KEY_ID: 'a',
    };
    const faults = faultsOf(env);
    expect(faults.map((fault) => fault.split(' ', 1)[0]).sort()).toEqual([
      'MAIL_FROM',
      'PORT',
      'S3_ACCESS_KEY_ID',
      'S3_BUCKET',
      'SECRET_KEY',
    ]);
    expect(() => loadConfig(env)).toThrow(/5 faults:(\n {2}[A-Z0-9_]+ .+){5}$/);
  });

  it('wants the two listeners to differ', () => {
    expect(faultsOf({ PORT: '4000', PUBLIC_PORT: '4000' })).toEqual(['PUBLIC_PORT must differ from PORT']);
    expect(faultsOf({ API_URL: 'https://docs.example.com/api', PUBLIC_URL: 'https://docs.example.com' })).toHaveLength(
      1,
    );
    expect(faultsOf({ PORT: '0', PUBLIC_PORT: '0' })).toEqual([]);
  });

  it('wants the APIs that agents may change to be among those that they may read', () => {
    const fault = (read: string, write: string) => faultsOf({ MCP_API_ORIGINS: read, MCP_API_WRITE_ORIGINS: write });
    expect(fault('https://a.example,https://b.example', 'https://b.example')).toEqual([]);
    expect(fault('https://a.example', 'https://a.example,https://b.example')).toEqual([
      'MCP_API_ORIGINS must have the origins of MCP_API_WRITE_ORIGINS: https://b.example',
    ]);
  });

  it('wants the workspace beside the API, where its sessions belong', () => {
    const api = 'https://api.example.com';
    const fault = (APP_URL: string, API_URL: string | undefined = api) =>
      faultsOf({ APP_URL, ...(API_URL && { API_URL }) });
    for (const path of ['/app', '/team/space']) expect(fault(`${api}${path}`)).toEqual([]);
    for (const address of [api, `${api}/v1`, `${api}/docs/x`, `${api}/app?x`, 'https://app.example.com/app'])
      expect([address, fault(address)]).toEqual([address, [expect.stringMatching(/^APP_URL must /)]]);
    expect(fault(`${api}/app`, '')).toEqual([expect.stringMatching(/^API_URL is required/)]);
  });

  it('never repeats a secret in a fault', () => {
    const secret = 'hunter2-hunter2';
    const env = Object.fromEntries(secretEnvironmentNames.map((name) => [name, secret]));
    expect(secretEnvironmentNames).toEqual(
      expect.arrayContaining([
        'DATABASE_URL',
        'SECRET_KEY',
        'BOOTSTRAP_TOKEN',
        'METRICS_TOKEN',
        'S3_SECRET_ACCESS_KEY',
        'SMTP_URL',
      ]),
    );
    expect(faultsOf(env).length).toBeGreaterThanOrEqual(4);
    expect(faultsOf(env).join('\n')).not.toContain(secret);
  });

  it('knows the values of its secrets, of addresses their passwords however they are written', () => {
    const plain = Object.fromEntries(
      secretEnvironmentNames.map((name) => [name, `value-of-${name.toLowerCase().replaceAll('_', '-')}-value-of-it`]),
    );
    const config = loadConfig({
      ...plain,
      SECRET_KEY: `${KEY}1,${KEY}2`,
      DATABASE_URL: 'postgres://u:p%40ss-of-database@a:5432,b:5433/docs',
      DATABASE_DIRECT_URL: 'postgres://u:pass-past-pooler@db/docs',
      DATABASE_READ_URL: 'postgres://u:pass-of-replica@replica/docs',
      SMTP_URL: 'smtps://u:pass-of-mail@mail:465',
      MAIL_FROM: 'a@b.c',
      S3_ACCESS_KEY_ID: 'a',
      LLM_MODEL: 'm',
    });
    const others = secretEnvironmentNames
      .filter((name) => !name.startsWith('DATABASE_') && !['SECRET_KEY', 'SMTP_URL'].includes(name))
      .map((name) => plain[name]);
    expect(secretsOf(config, describeSettings()).sort()).toEqual(
      [
        `${KEY}1`,
        `${KEY}2`,
        'p%40ss-of-database',
        'p@ss-of-database',
        'pass-past-pooler',
        'pass-of-replica',
        'pass-of-mail',
        ...others,
      ].sort(),
    );
    expect(
      secretsOf({ logLevel: 'info', smtpUrl: 'smtp://u:100%@mail', deeplApiKey: '100%' }, describeSettings()),
    ).toEqual(['100%', '100%']);
    expect(secretsOf({ databaseUrl: 'postgres://db/docs' }, describeSettings())).toEqual([]);
  });

  it('takes a list of keys out of the file of generated ones', () => {
    expect(keysOfFile('secret-key', KEY)).toEqual([KEY]);
    expect(keysOfFile('secret-key', `${KEY}2, ${KEY}`)).toEqual([`${KEY}2`, KEY]);
    expect(() => keysOfFile('/data/secret-key', 'short')).toThrow(/\/data\/secret-key must be one key/);
  });

  it('describes every setting', () => {
    expect(environmentName('s3AccessKeyId')).toBe('S3_ACCESS_KEY_ID');
    expect(describeSettings().filter(({ description }) => description.length < 10)).toEqual([]);
  });

  it('finds every setting in .env.example and nothing else', () => {
    const named = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
    expect([...named].sort()).toEqual(
      describeSettings()
        .map(({ variable }) => variable)
        .sort(),
    );
  });

  it('accepts the values that .env.example shows', () => {
    const shown = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    );
    const env = { ...Object.fromEntries(shown), SECRET_KEY: KEY, S3_SECRET_ACCESS_KEY: KEY, S3_ACCESS_KEY_ID: 'a' };
    expect(faultsOf(env)).toEqual([]);
  });

  it('shows the true defaults in .env.example', () => {
    const defaults = loadConfig({});
    const shown = {
      PORT: defaults.port,
      HOST: defaults.host,
      RETENTION_DAYS: defaults.retentionDays,
      SHUTDOWN_DELAY: defaults.shutdownDelay,
      SHUTDOWN_TIMEOUT: defaults.shutdownTimeout,
    };
    for (const [name, value] of Object.entries(shown)) expect(example).toContain(`#${name}=${value}\n`);
    for (const name of [
      'RATE_LIMIT_PER_MINUTE',
      'RATE_LIMIT_ANONYMOUS_PER_MINUTE',
      'LOG_LEVEL',
      'BOOTSTRAP_EMAIL',
      'S3_REGION',
    ] as const) {
      const value = /^#?[A-Z0-9_]+=(.*)$/m.exec(example.slice(example.indexOf(`#${name}=`)))?.[1];
      expect(loadConfig({ [name]: value })).toEqual(defaults);
    }
  });
});
