import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from '@jest/globals';
import ts from 'typescript';
import type { AddedModule } from '../../src/kernel/platform/manifest/added-modules.js';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLE = join(ROOT, 'examples/announcements');
/** Below the checkout, so that its packages are found, and no part of it. */
const COPIES = join(ROOT, 'coverage');

/**
 * The example of a module from elsewhere, compiled as its own build does it, but on the sources of this checkout instead
 * of the installed package.
 */
export function useExample(): () => Promise<AddedModule> {
  let copy: string | undefined;
  afterAll(() => (copy === undefined ? undefined : rm(copy, { recursive: true })));
  return async () => {
    await mkdir(COPIES, { recursive: true });
    copy = await mkdtemp(join(COPIES, 'example-'));
    await writeFile(join(copy, 'package.json'), '{"type":"module"}');
    for (const part of ['migrations', 'screens']) await cp(join(EXAMPLE, part), join(copy, part), { recursive: true });
    const target = join(copy, 'dist/src');
    await mkdir(target, { recursive: true });
    const extension = pathToFileURL(join(ROOT, 'src/extension.ts')).href;
    for (const name of await readdir(join(EXAMPLE, 'src'))) {
      const source = await readFile(join(EXAMPLE, 'src', name), 'utf8');
      await writeFile(join(target, name.replace(/\.ts$/, '.js')), compiled(source, extension));
    }
    const { AnnouncementsModule } = (await import(pathToFileURL(join(target, 'index.js')).href)) as {
      AnnouncementsModule: AddedModule;
    };
    return AnnouncementsModule;
  };
}

function compiled(source: string, extension: string): string {
  const { outputText } = ts.transpileModule(source.replaceAll("'bindery/extension'", JSON.stringify(extension)), {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2023,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      strictPropertyInitialization: false,
      useDefineForClassFields: true,
    },
  });
  return outputText;
}
