import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, posix, resolve } from 'node:path';
import { diffLines } from 'diff';
import git from 'isomorphic-git';
import type { ChangeInput } from '../authoring/content/change-input.js';
import { ContentWriter } from '../authoring/content/content-writer.js';
import type { Item } from '../authoring/content/domain/content-item.js';
import { isManagedPath } from '../authoring/interchange/domain/repository-layout.js';
import type { GitBlob } from '../authoring/interchange/git/git-objects.js';
import { Revisions } from '../authoring/content/revisions.service.js';
import { Importer } from '../authoring/interchange/importer.service.js';
import { readFolder } from '../authoring/interchange/markdown-folder.js';
import type { SourceFile } from '../authoring/interchange/domain/plan-model.js';
import type { PreviousFile } from '../authoring/interchange/previous-folder.js';
import type { ExistingRepository } from '../authoring/interchange/neighbour-folders.service.js';
import { RepositoryFiles } from '../authoring/interchange/repository-files.js';
import { SpaceContents, type SpaceOutline } from '../authoring/interchange/space-content.js';
import { block } from '../formats/document/build.js';
import type { Document, Node } from '../formats/document/types.js';
import { runInContext } from '../kernel/common/context.js';
import type { TemporaryService } from './temporary.js';

/** Pages in which a word is changed. */
const CHANGED_PAGES = 50;
const SUMMARY = 'SUMMARY.md';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';

interface Content {
  readonly outline: SpaceOutline;
  /** The path of the table of contents. */
  readonly summary: string;
  document(item: Item): Promise<Document | undefined>;
}

type Service = Omit<TemporaryService, 'api' | 'token'>;
type Files = ReadonlyMap<string, SourceFile>;

/** The lines of a diff that a change asks for. */
interface Asked {
  /** For each file the number of lines that it may gain, and that it may lose. */
  readonly files: ReadonlyMap<string, number>;
  /** The path of the file that it makes. */
  readonly made?: RegExp;
  /** Words of lines that name something which has another name now. */
  readonly naming?: string;
}

/** A change of a space, whose diff is measured. */
interface Change {
  readonly name: string;
  of(content: Content): Promise<{ readonly changes: ChangeInput[]; readonly asked: Asked }>;
}

/** The size of the diff of one change. */
export interface GitDiff {
  readonly folder: string;
  readonly change: string;
  /** The objects of the space that were changed. */
  readonly changed: number;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Lines of the diff that the change did not ask for. */
  readonly unasked: number;
  readonly seconds: number;
  /** The files, with the lines added and removed, those with lines that were not asked for first. */
  readonly details: readonly string[];
}

const WHOLE = Number.POSITIVE_INFINITY;
const NOTHING: Asked = { files: new Map() };

const CHANGES: readonly Change[] = [
  { name: 'nothing', of: async () => ({ changes: [], asked: NOTHING }) },
  {
    name: 'a word in 50 pages',
    of: async (content) => {
      const changes: ChangeInput[] = [];
      const files = new Map<string, number>();
      for (const page of content.outline.pages.toSorted(byPath)) {
        const document = changes.length < CHANGED_PAGES ? await content.document(page) : undefined;
        if (!document || !changeWord(document.nodes)) continue;
        changes.push({ operation: 'update_page', page: page.id, document: { document } });
        files.set(pathOf(page), 1);
      }
      return { changes, asked: { files } };
    },
  },
  {
    name: 'a new page',
    of: ofLeaf(({ parentId }, { summary }) => ({
      changes: [
        { operation: 'insert_page', title: 'A new page', into: parentId, document: { markdown: 'It is new.' } },
      ],
      asked: { files: new Map([[summary, 1]]), made: /(^|\/)a-new-page\.md$/ },
    })),
  },
  {
    name: 'a page moved',
    of: ofLeaf(({ id, parentId }, { outline, summary }) => {
      const into = outline.pages
        .toSorted(byPath)
        .find((page) => page.type === 'document' && page.parentId === parentId && page.id !== id);
      return {
        changes: into === undefined ? [] : [{ operation: 'update_page', page: id, into: into.id }],
        asked: { files: new Map([[summary, 1]]) },
      };
    }),
  },
  {
    name: 'a page renamed',
    of: ofLeaf((page, { summary }) => ({
      changes: [{ operation: 'update_page', page: page.id, title: 'Renamed', slug: 'renamed' }],
      asked: {
        files: new Map([
          [summary, 1],
          [pathOf(page), WHOLE],
        ]),
        made: /(^|\/)renamed\.md$/,
        naming: posix.basename(pathOf(page), '.md'),
      },
    })),
  },
  {
    name: 'a page deleted',
    of: ofLeaf((page, { summary }) => ({
      changes: [{ operation: 'delete_page', page: page.id }],
      asked: {
        files: new Map([
          [summary, 1],
          [pathOf(page), WHOLE],
        ]),
      },
    })),
  },
  {
    name: 'a new image in a page',
    of: ofLeaf(async (page, content) => {
      const read = await content.document(page);
      if (!read) return { changes: [], asked: NOTHING };
      const image = block('images', {}, [block('image', { ref: { kind: 'file', file: 'new' } })]);
      const document = { document: { ...read, nodes: [...read.nodes, image] } };
      return {
        changes: [
          {
            operation: 'insert_files',
            files: [{ ref: 'new', name: 'new.png', contentType: 'image/png', base64: PIXEL }],
          },
          { operation: 'update_page', page: page.id, document },
        ],
        // The line of the image, and a blank line before it.
        asked: { files: new Map([[pathOf(page), 2]]), made: /^\.gitbook\/assets\/new(-\d+)?\.png$/ },
      };
    }),
  },
];

/** A change of a page without subpages, below another one; of nothing where there is none. */
function ofLeaf(
  change: (page: Item, content: Content) => ReturnType<Change['of']> | Awaited<ReturnType<Change['of']>>,
): Change['of'] {
  return async (content) => {
    const page = content.outline.pages
      .toSorted(byPath)
      .find(
        ({ id, type, hash, parentId }) =>
          type === 'document' && hash !== null && parentId !== '' && content.outline.children(id).length === 0,
      );
    return page === undefined ? { changes: [], asked: NOTHING } : change(page, content);
  };
}

/** Every run changes the same pages. */
function byPath(a: Item, b: Item): number {
  return pathOf(a) < pathOf(b) ? -1 : 1;
}

/** The path of a page in the repository. */
function pathOf({ props }: Item): string {
  return (props['git'] as GitBlob | undefined)?.path ?? '';
}

/** Imports a folder as a repository, and measures the diffs that exports after changes make, each change alone. */
export async function reportGitDiffs(service: Service, folder: string): Promise<GitDiff[]> {
  const { files } = await readFolder(folder);
  const space = await importAsRepository(service, folder, files);
  const diffs: GitDiff[] = [];
  for (const change of CHANGES) diffs.push({ folder, ...(await diffOf(service, space, files, change)) });
  return diffs;
}

async function diffOf(
  { services, organizationId, userId }: Service,
  space: string,
  source: Files,
  change: Change,
): Promise<Omit<GitDiff, 'folder'>> {
  const contents = services.get(SpaceContents);
  const outline = await contents.outline(space);
  const { changes, asked } = await change.of({
    outline,
    summary: SUMMARY,
    document: async (item) => [...(await contents.documents(space, [item])).values()][0],
  });
  const caller = { userId, tokenId: '', organizationId, scopes: undefined };
  const context = {
    requestId: randomUUID(),
    ip: undefined,
    ifMatch: undefined,
    source: 'workflow' as const,
    party: { name: organizationId, isOrganization: true },
    caller,
  };
  const options = { allowMany: true, evenIfLocked: true };
  if (changes.length > 0)
    await runInContext(context, () => services.get(ContentWriter).write({ spaceId: space }, changes, options));
  const diff = await exportedDiff(services, { space, source, party: organizationId, asked });
  if (changes.length > 0)
    await runInContext(context, () => services.get(Revisions).rollback(caller, space, outline.revisionId));
  return { change: change.name, changed: changes.length, ...diff };
}

interface ExportOrder {
  readonly space: string;
  readonly source: Files;
  readonly party: string;
  readonly asked: Asked;
}

/** Exports a space over its source. */
async function exportedDiff(
  services: Service['services'],
  { space, source, party, asked }: ExportOrder,
): Promise<Omit<GitDiff, 'folder' | 'change' | 'changed'>> {
  const began = performance.now();
  const target = await mkdtemp(join(tmpdir(), 'bindery-roundtrip-'));
  try {
    const repository: ExistingRepository = {
      directory: '',
      files: async (below) => filesBelow(source, below),
      text: async (path) => (await source.get(path)?.read())?.toString('utf8'),
    };
    const { files, root } = await services.get(RepositoryFiles).write(space, target, repository, { party });
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const found: { path: string; added: number; removed: number; unasked: number }[] = [];
    for (const path of new Set([...source.keys(), ...files.keys()])) {
      const [was, is] = [await source.get(path)?.read(), await files.get(path)?.read()];
      const stays = is === undefined && !isManagedPath(path, '', root);
      if (stays || (was !== undefined && is !== undefined && was.equals(is))) continue;
      const allowed = asked.made?.test(path) ? WHOLE : (asked.files.get(path) ?? 0);
      found.push({ path, ...linesOf(was, is, { allowed, naming: asked.naming }) });
    }
    const sum = (name: 'added' | 'removed' | 'unasked'): number => found.reduce((total, each) => total + each[name], 0);
    return {
      files: found.length,
      added: sum('added'),
      removed: sum('removed'),
      unasked: sum('unasked'),
      seconds,
      details: found
        .toSorted((a, b) => b.unasked - a.unasked)
        .map(
          ({ path, added, removed, unasked }) =>
            `${path}: +${added} -${removed}${unasked > 0 ? `, ${unasked} not asked for` : ''}`,
        ),
    };
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

/** Imports files as those of a commit; gives the id of the space. */
async function importAsRepository(
  { services, organizationId, userId }: Service,
  folder: string,
  files: Files,
): Promise<string> {
  const objects = new Map<string, GitBlob>();
  for (const [path, file] of files) {
    const { oid } = await git.hashBlob({ object: await file.read() });
    objects.set(path, { oid, path });
  }
  const commit = { oid: '0'.repeat(40), message: '', url: '' };
  const { space } = await services.get(Importer).importFolder({
    organizationId,
    userId,
    title: basename(resolve(folder)),
    source: { files, problems: [], git: { commit, objects } },
  });
  return space;
}

function filesBelow(files: Files, folder: string): Map<string, PreviousFile> {
  const prefix = folder === '' ? '' : `${folder}/`;
  return new Map(
    [...files].flatMap(([path, file]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), () => file.read()] as const] : [],
    ),
  );
}

/** The lines of a diff; a file of bytes counts as one. */
function linesOf(
  was: Buffer | undefined,
  is: Buffer | undefined,
  { allowed, naming }: { readonly allowed: number; readonly naming: string | undefined },
): { added: number; removed: number; unasked: number } {
  const [old, now] = [was?.toString('utf8') ?? '', is?.toString('utf8') ?? ''];
  const counts = { added: 0, removed: 0 };
  const asked = { added: allowed, removed: allowed };
  const count = (side: 'added' | 'removed', lines: readonly string[]): void => {
    counts[side] += lines.length;
    if (naming !== undefined)
      asked[side] += lines.filter((line) => line.includes(side === 'added' ? 'renamed' : naming)).length;
  };
  if (`${old}${now}`.includes('\0')) {
    if (is !== undefined) count('added', ['']);
    if (was !== undefined) count('removed', ['']);
  } else {
    for (const { added, removed, value } of diffLines(old, now)) {
      const lines = value.split(/(?<=\n)/);
      if (added) count('added', lines);
      if (removed) count('removed', lines);
    }
  }
  const unasked = Math.max(0, counts.added - asked.added) + Math.max(0, counts.removed - asked.removed);
  return { ...counts, unasked };
}

/** Changes the last word of the first text, and tells whether there is one. */
function changeWord(nodes: readonly Node[]): boolean {
  for (const node of nodes) {
    if (node.object === 'text') {
      const leaf = node.leaves.find(({ text }) => /[a-z]{4}/.test(text));
      if (leaf) {
        leaf.text = leaf.text.replace(/[a-z]{4}(?![\s\S]*[a-z]{4})/, 'word');
        return true;
      }
    } else if (!isVerbatim(node) && changeWord(node.nodes ?? [])) return true;
  }
  return false;
}

function isVerbatim(node: Node): boolean {
  return node.object === 'block' && (node.type === 'code' || node.type.startsWith('heading'));
}
