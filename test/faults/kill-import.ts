import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from './kill-clients.js';
import { cliFile } from './program.js';

const CHAPTERS = 60;

/** An import that was asked for; `space` is known where the command ended well. */
export interface Import {
  readonly title: string;
  space?: string;
}

interface PageNode {
  readonly pages?: readonly PageNode[];
}

/** Writes a folder of Markdown pages that link to each other, and files. */
export async function writeFolder(folder: string): Promise<void> {
  await mkdir(join(folder, '.gitbook', 'assets'), { recursive: true });
  for (let index = 0; index < CHAPTERS; index++) {
    const text = `# Chapter ${index}\n\nSee [the next one](chapter-${(index + 1) % CHAPTERS}.md) and [a note](.gitbook/assets/note-${index % 7}.txt).\n\n## More\n\n${'And so on. '.repeat(50)}\n`;
    await writeFile(join(folder, `chapter-${index}.md`), text);
    await writeFile(join(folder, '.gitbook', 'assets', `note-${index % 7}.txt`), `The note ${index % 7}`);
  }
  await writeFile(join(folder, 'README.md'), '# Beginning\n\nThis is where it begins.\n');
}

/** Runs `bindery import` beside the server and kills it after so many milliseconds, if it still runs; gives how long it took. */
export async function runImport(
  dataDir: string,
  folder: string,
  organizationId: string,
  wanted: Import,
  milliseconds: number,
): Promise<number> {
  const begin = performance.now();
  const words = [await cliFile(), 'import', folder, '--org', organizationId, '--title', wanted.title, '--json'];
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, LOG_LEVEL: 'error' },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  await once(child, 'close');
  clearTimeout(timer);
  if (child.exitCode === 0) wanted.space = (JSON.parse(output) as { space: string }).space;
  return performance.now() - begin;
}

/** Imports that are there in part, or not at all although they were said to be. */
export async function findBrokenImports(
  caller: Caller,
  organizationId: string,
  imports: readonly Import[],
): Promise<string[]> {
  const { items } = await caller.call<{ items: { id: string; title: string }[] }>(
    'GET',
    `/orgs/${organizationId}/spaces?limit=1000`,
  );
  const faults: string[] = [];
  for (const { title, space } of imports) {
    const found = items.filter((item) => item.title === title);
    if (found.length > 1 || (space !== undefined && found[0]?.id !== space))
      faults.push(`the import ${title} made ${found.length} spaces`);
    for (const { id } of found) {
      const { pages } = await caller.call<{ pages: PageNode[] }>('GET', `/spaces/${id}/content/pages`);
      const { count } = await caller.call<{ count: number }>('GET', `/spaces/${id}/content/files?limit=0`);
      if (countPages(pages) !== CHAPTERS + 1 || count !== 7)
        faults.push(`the import ${title} has ${countPages(pages)} pages and ${count} files`);
    }
  }
  return faults;
}

function countPages(nodes: readonly PageNode[]): number {
  return nodes.reduce((sum, { pages = [] }) => sum + 1 + countPages(pages), 0);
}
