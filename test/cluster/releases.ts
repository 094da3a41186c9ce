import { execFile, spawnSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The parts of a checkout that a server needs. */
const PARTS = ['package.json', 'src', 'migrations', 'assets', 'scripts', 'test/faults'];

/** Tells whether the history of this checkout has a commit. */
export const hasCommit = (commit: string): boolean =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`]).status === 0;

/** Writes the code of a commit to a folder, with the packages of this checkout, whose lock file it has to share. */
export async function releasedCode(commit: string, folder: string): Promise<string> {
  const lock = async (of: string) => (await run('git', ['rev-parse', `${of}:package-lock.json`])).stdout;
  if ((await lock(commit)) !== (await lock('HEAD'))) throw new Error(`${commit} has other packages than this checkout`);
  const code = join(folder, 'release');
  await mkdir(code);
  const archive = join(folder, 'release.tar');
  await run('git', ['archive', '--output', archive, commit, ...PARTS]);
  await run('tar', ['-xf', archive, '-C', code]);
  await symlink(resolve('node_modules'), join(code, 'node_modules'));
  return code;
}

/** A module from elsewhere with a folder of migrations, as a file for `BINDERY_MODULES`. */
export class ModuleRelease {
  private constructor(
    readonly file: string,
    private readonly migrations: string,
  ) {}

  /** `cli` is the command line that loads it. */
  static async in(folder: string, name: string, cli: string): Promise<ModuleRelease> {
    const migrations = join(folder, 'migrations');
    await mkdir(migrations, { recursive: true });
    const extension = pathToFileURL(join(dirname(cli), 'extension.js')).href;
    const file = join(folder, `${name}.mjs`);
    await writeFile(
      file,
      `import { Module } from ${JSON.stringify(import.meta.resolve('@nestjs/common'))};
       import { brings, defineModule } from ${JSON.stringify(extension)};
       const manifest = defineModule({ name: ${JSON.stringify(name)}, requires: '*', migrations: ${JSON.stringify(migrations)} });
       export class TestModule {}
       Module({ providers: [brings(manifest)] })(TestModule);`,
    );
    return new ModuleRelease(file, migrations);
  }

  add(name: string, text: string): Promise<void> {
    return writeFile(join(this.migrations, `${name}.sql`), text);
  }
}
