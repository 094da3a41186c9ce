import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { diffLines } from 'diff';
import git from 'isomorphic-git';
import type { ChangeInput } from '../authoring/content/change-input.js';
import { ContentWriter } from '../authoring/content/content-writer.js';
import type { Item } from '../authoring/content/domain/content-item.js';
import { isManagedPath } from '../authoring/interchange/domain/repository-layout.js';
import type { GitBlob } from '../authoring/interchange/folder-reader.js';
import { Importer } from '../authoring/interchange/importer.service.js';
import { readFolder } from '../authoring/interchange/markdown-folder.js';
import type { SourceFile } from '../authoring/interchange/domain/plan-model.js';
import type { PreviousFile } from '../authoring/interchange/previous-folder.js';
import { RepositoryFiles, type ExistingRepository } from '../authoring/interchange/repository-files.js';
import { SpaceContents, type SpaceOutline } from '../authoring/interchange/space-content.js';
import { block } from '../formats/document/build.js';
import type { Document, Node } from '../formats/document/types.js';
import { runInContext } from '../kernel/common/context.js';
import type { TemporaryService } from './temporary.js';

/** Pages in which a word is changed. */
const CHANGED_PAGES = 50;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';

interface Content {
  readonly outline: SpaceOutline;
  document(item: Item): Promise<Document | undefined>;
}

type Service = Omit<TemporaryService, 'api' | 'token'>;
type Files = ReadonlyMap<string, SourceFile>;

/** A change of a space, whose diff is measured. */
interface Change {
  readonly name: string;
  of(content: Content): Promise<ChangeInput[]>;
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
  /** The files, with the lines added and removed. */
  readonly details: readonly string[];
}

const CHANGES: readonly Change[] = [
  { name: 'nothing', of: async () => [] },
  {
    name: 'a word in 50 pages',
    of: async (content) => {
      const changes: ChangeInput[] = [];
      for (const page of content.outline.pages) {
        const document = changes.length < CHANGED_PAGES ? await content.document(page) : undefined;
        if (document && changeWord(document.nodes))
          changes.push({ operation: 'update_page', page: page.id, document: { document } });
      }
      return changes;
    },
  },
  {
    name: 'a new page',
    of: async () => [{ operation: 'insert_page', title: 'A new page', document: { markdown: 'It is new.' } }],
  },
  {
    name: 'a page moved',
    of: async (content) => {
      const page = leafOf(content.outline);
      return [{ operation: 'update_page', page: page?.id ?? '', into: null }];
    },
  },
  {
    name: 'a page renamed',
    of: async (content) => [
      { operation: 'update_page', page: leafOf(content.outline)?.id ?? '', title: 'Renamed', slug: 'renamed' },
    ],
  },
  {
    name: 'a page deleted',
    of: async (content) => [{ operation: 'delete_page', page: leafOf(content.outline)?.id ?? '' }],
  },
  {
    name: 'a new image in a page',
    of: async (content) => {
      const page = leafOf(content.outline);
      const document = page && (await content.document(page));
      if (!document) return [];
      const image = block('images', {}, [block('image', { ref: { kind: 'file', file: 'new' } })]);
      return [
        {
          operation: 'insert_files',
          files: [{ ref: 'new', name: 'new.png', contentType: 'image/png', base64: PIXEL }],
        },
        {
          operation: 'update_page',
          page: page.id,
          document: { document: { ...document, nodes: [...document.nodes, image] } },
        },
      ];
    },
  },
];

/** Imports a folder as a repository, and measures the diffs that exports after changes make. */
export async function reportGitDiffs(service: Service, folder: string): Promise<GitDiff[]> {
  const diffs: GitDiff[] = [];
  for (const change of CHANGES) diffs.push(await diffOf(service, folder, change));
  return diffs;
}

async function diffOf(service: Service, folder: string, change: Change): Promise<GitDiff> {
  const { services, organizationId } = service;
  const { files: source } = await readFolder(folder);
  const space = await importAsRepository(service, folder, source);
  const changed = await write(service, space, change);
  const target = await mkdtemp(join(tmpdir(), 'bindery-roundtrip-'));
  try {
    const repository: ExistingRepository = {
      directory: '',
      files: async (below) => filesBelow(source, below),
      text: async (path) => (await source.get(path)?.read())?.toString('utf8'),
    };
    const { files, root } = await services
      .get(RepositoryFiles)
      .write(space, target, repository, { party: organizationId });
    const details: string[] = [];
    const sum = { added: 0, removed: 0 };
    for (const path of new Set([...source.keys(), ...files.keys()])) {
      const [was, is] = [await source.get(path)?.read(), await files.get(path)?.read()];
      const stays = is === undefined && !isManagedPath(path, '', root);
      if (stays || (was !== undefined && is !== undefined && was.equals(is))) continue;
      const { added, removed } = linesOf(was, is);
      sum.added += added;
      sum.removed += removed;
      details.push(`${path}: +${added} -${removed}`);
    }
    return { folder, change: change.name, changed, files: details.length, ...sum, details };
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

/** Writes a change into a space; gives the number of objects that it changes. */
async function write({ services, organizationId, userId }: Service, spaceId: string, change: Change): Promise<number> {
  const contents = services.get(SpaceContents);
  const changes = await change.of({
    outline: await contents.outline(spaceId),
    document: async (item) => [...(await contents.documents(spaceId, [item])).values()][0],
  });
  if (changes.length === 0) return 0;
  const context = {
    requestId: randomUUID(),
    ip: undefined,
    ifMatch: undefined,
    source: 'workflow' as const,
    party: { name: organizationId, isOrganization: true },
    caller: { userId, tokenId: '', organizationId, scopes: undefined },
  };
  await runInContext(context, () =>
    services.get(ContentWriter).write({ spaceId }, changes, { allowMany: true, evenIfLocked: true }),
  );
  return changes.length;
}

/** The lines of a diff; a file of bytes counts as one. */
function linesOf(was: Buffer | undefined, is: Buffer | undefined): { added: number; removed: number } {
  const [old, now] = [was?.toString('utf8') ?? '', is?.toString('utf8') ?? ''];
  if (`${old}${now}`.includes('\0')) return { added: is ? 1 : 0, removed: was ? 1 : 0 };
  const counts = { added: 0, removed: 0 };
  for (const { added, removed, count = 0 } of diffLines(old, now)) {
    if (added) counts.added += count;
    if (removed) counts.removed += count;
  }
  return counts;
}

/** A page without subpages, below another one. */
function leafOf(content: SpaceOutline): Item | undefined {
  return content.pages.find(
    ({ id, type, hash, parentId }) =>
      type === 'document' && hash !== null && parentId !== '' && content.children(id).length === 0,
  );
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
