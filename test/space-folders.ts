import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unpacking } from '../src/authoring/interchange/archives/unpack.js';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import type { TestApp } from './app.js';
import { tarGzOf } from './archives.js';
import type { Client } from './client.js';

export type Texts = Readonly<Record<string, string>>;

/** A run as these tests look at it. */
export interface FolderRun {
  readonly id: string;
  readonly status: string;
  readonly error?: string;
  readonly revision?: string;
  readonly changed?: boolean;
  readonly download?: string;
  readonly source: { readonly type: string; readonly review?: boolean };
  readonly target: { readonly space: string; readonly changeRequest?: string };
  readonly problems?: readonly { readonly file: string; readonly message: string }[];
}

type Query = Readonly<Record<string, string | boolean>>;

/** Spaces as folders over HTTP, for one caller in one organization. */
export class SpaceFolders {
  constructor(
    private readonly app: TestApp,
    readonly organizationId: string,
    readonly api: Client,
  ) {}

  /** Exports a space to the end. */
  async export(space: string, query: Query = {}, previous?: Texts): Promise<{ run: FolderRun; files: Texts }> {
    const run = await this.ended('export', space, query, previous);
    return { run, files: await unpacked(run.download ?? '') };
  }

  /** Pushes a folder to the end. */
  push(space: string, files: Texts, query: Query): Promise<FolderRun> {
    return this.ended('push', space, query, files);
  }

  start(what: string, space: string, query: Query, files?: Texts) {
    const raw = files && tarGzOf(files);
    return this.api.post<FolderRun>(`/spaces/${space}/${what}`, undefined, {
      query,
      ...(raw && { raw, headers: { 'Content-Type': 'application/gzip' } }),
    });
  }

  async run(id: string): Promise<FolderRun> {
    return (await this.api.get<FolderRun>(`/org/${this.organizationId}/imports/${id}`)).body;
  }

  private async ended(what: string, space: string, query: Query, files: Texts | undefined): Promise<FolderRun> {
    const started = await this.start(what, space, query, files);
    if (started.status !== 201) throw new Error(`${what}: ${started.status} ${JSON.stringify(started.body)}`);
    await this.app.get(Jobs).drain();
    return this.run(started.body.id);
  }
}

/** The texts of a zip archive at an address. */
async function unpacked(address: string): Promise<Texts> {
  const answer = await fetch(address);
  if (answer.status !== 200) throw new Error(`${address}: ${answer.status}`);
  const folder = await mkdtemp(join(tmpdir(), 'bindery-spec-'));
  try {
    await writeFile(join(folder, 'archive.zip'), new Uint8Array(await answer.arrayBuffer()));
    await new Unpacking(join(folder, 'content')).unpack(join(folder, 'archive.zip'), 'zip');
    const { files } = await readFolder(join(folder, 'content'));
    const texts: Record<string, string> = {};
    for (const [path, file] of files) texts[path] = (await file.read()).toString('utf8');
    return texts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
