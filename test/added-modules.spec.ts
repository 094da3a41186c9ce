import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findAddedModules } from '../src/cli/added-modules.js';
import { migrateDown, migrateUp, migrationStates } from '../src/cli/schema.js';
import { describeSettings, loadConfig } from '../src/config.js';
import { whole } from '../src/kernel/platform/config/setting-schemas.js';
import { addedManifests } from '../src/kernel/platform/manifest/added-modules.js';
import { defineModule } from '../src/kernel/platform/manifest/manifest.js';
import { brings } from '../src/kernel/platform/manifest/registry.js';
import { VERSION } from '../src/version.js';
import { scratchDatabase } from './scratch-database.js';

const parrots = defineModule({
  name: 'parrots',
  requires: `^${VERSION}`,
  settings: { parrotLimit: whole(1, 10).default(3).describe('Parrots at most') },
  settingFaults: ({ parrotLimit }) => (parrotLimit === 7 ? ['PARROT_LIMIT must not be seven'] : []),
});

@Module({ providers: [brings(parrots)] })
class ParrotsModule {}

describe('modules from elsewhere', () => {
  it('are told by their manifests, their own or those of what they import, once each', () => {
    @Module({ imports: [ParrotsModule] })
    class Around {}
    expect(addedManifests([ParrotsModule], [])).toEqual([parrots]);
    expect(addedManifests([Around], [])).toEqual([parrots]);
    expect(addedManifests([{ module: Around, imports: [ParrotsModule] }], [])).toEqual([parrots]);
    expect(() => addedManifests([Around], [parrots])).toThrow('Around has no manifest');
  });

  it('are refused without a manifest, without a range of versions, and for other versions', () => {
    const made = (requires?: string) => {
      @Module({ providers: [brings(defineModule({ name: 'other', ...(requires !== undefined && { requires }) }))] })
      class Other {}
      return () => addedManifests([Other], []);
    };
    @Module({})
    class Bare {}
    expect(() => addedManifests([Bare], [])).toThrow('Bare has no manifest');
    expect(made()).toThrow('the module other does not say which versions of Bindery it works with');
    expect(made('newest')).toThrow('the module other does not say which versions of Bindery it works with');
    expect(made('^99.0.0')).toThrow(`the module other works with Bindery ^99.0.0, and this is ${VERSION}`);
  });

  it('bring settings, which are checked with those of the service', () => {
    expect(loadConfig({ PARROT_LIMIT: '5' }, [parrots])).toMatchObject({ parrotLimit: 5, port: 3000 });
    expect(() => loadConfig({ PARROT_LIMIT: '50' }, [parrots])).toThrow(
      'PARROT_LIMIT must be a whole number from 1 to 10',
    );
    expect(() => loadConfig({ PARROT_LIMIT: '7' }, [parrots])).toThrow('PARROT_LIMIT must not be seven');
    expect(describeSettings([parrots])).toContainEqual(
      expect.objectContaining({ variable: 'PARROT_LIMIT', description: 'Parrots at most', secret: false }),
    );
  });
});

describe('the names of modules from elsewhere', () => {
  let folder: string;
  const before = process.cwd();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-added-'));
    process.chdir(folder);
  });
  afterEach(async () => {
    process.chdir(before);
    await rm(folder, { recursive: true });
  });

  it('are none in most places', async () => {
    expect(await findAddedModules({})).toEqual({ modules: [], manifests: [] });
    expect(await findAddedModules({ BINDERY_MODULES: ' , ' })).toEqual({ modules: [], manifests: [] });
  });

  it('are told with the reason where one cannot be loaded', async () => {
    await writeFile('broken.mjs', `throw new Error('the parrot has flown');`);
    await writeFile('empty.mjs', 'export const answer = 42;');
    await expect(findAddedModules({ BINDERY_MODULES: './broken.mjs' })).rejects.toThrow(
      'The module ./broken.mjs cannot be loaded: the parrot has flown',
    );
    await expect(findAddedModules({ BINDERY_MODULES: './empty.mjs' })).rejects.toThrow(
      'The module ./empty.mjs cannot be added: it exports no Nest module with a manifest',
    );
    await expect(findAddedModules({ BINDERY_MODULES: 'bindery-that-is-nowhere' })).rejects.toThrow(
      'The module bindery-that-is-nowhere cannot be loaded: ',
    );
  });

  it('may stand in a file of the working directory', async () => {
    await writeFile('bindery.config.mjs', 'export const modules = 42;');
    await expect(findAddedModules({})).rejects.toThrow('bindery.config.mjs lists no modules');
    await writeFile('bindery.config.js', 'export const modules = [class Parrots {}];');
    await expect(findAddedModules({})).rejects.toThrow('A module cannot be added: Parrots has no manifest');
  });
});

describe('migrations of a module from elsewhere', () => {
  it('have a history of their own, which goes up and down apart from that of the service', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-added-'));
    const scratch = await scratchDatabase();
    const added = [defineModule({ name: 'parrots', requires: '*', migrations: folder })];
    const tables = () =>
      scratch.source.query<{ name: string }[]>(
        `SELECT tablename AS name FROM pg_tables WHERE tablename ~ 'parrot' ORDER BY 1`,
      );
    try {
      await writeFile(
        join(folder, '1796000000000-parrots.sql'),
        '-- migrate:up\nCREATE TABLE parrot (id text PRIMARY KEY);\n-- migrate:down\nDROP TABLE parrot;\n',
      );
      const states = await migrationStates(scratch.url, added);
      expect(states.filter(({ applied }) => !applied)).toEqual([
        { module: 'parrots', name: 'Parrots1796000000000', phase: 'expand', applied: false, known: true },
      ]);
      expect(await migrateUp(scratch.url, added)).toEqual(['Parrots1796000000000']);
      expect(await migrateUp(scratch.url, added)).toEqual([]);
      expect(await tables()).toEqual([{ name: 'migration_of_parrots' }, { name: 'parrot' }]);
      // Without the module the service starts as before, and leaves its tables alone.
      expect(await migrateUp(scratch.url)).toEqual([]);
      expect(await migrateDown(scratch.url, 5, { module: 'parrots', added })).toEqual(['Parrots1796000000000']);
      expect(await tables()).toEqual([{ name: 'migration_of_parrots' }]);
      await expect(migrateDown(scratch.url, 1, { module: 'cockatoos', added })).rejects.toThrow(
        'No module cockatoos with migrations is added to this service',
      );
    } finally {
      await scratch.drop();
      await rm(folder, { recursive: true });
    }
  });
});
