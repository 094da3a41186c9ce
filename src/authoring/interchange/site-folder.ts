import type { PlanProblem, SourceFile } from './domain/plan-model.js';
import { describesSite, directoryFrom, SITE_FILES, spacesOf, type SiteFile } from './domain/site-file/site-file.js';
import type { ReadSite } from './domain/site-file/read-site-file.js';
import type { SourceReads } from './domain/source-reads.js';
import { bytesFault, textOfBytes } from './domain/text-bytes.js';
import { MAX_YAML } from '../../formats/markdown/yaml.js';

/** A folder that holds a whole site: its file, and the folders of its spaces. */
export interface SiteFolder {
  /** The name of the file, which lies at the root. */
  readonly name: string;
  readonly source: string;
  /** Undefined for a file with faults. */
  readonly site: SiteFile | undefined;
  readonly problems: readonly PlanProblem[];
  /** The line of each node, by its key. */
  readonly lines: ReadonlyMap<string, number>;
  /** The files of each folder that spaces name, by their path from there. */
  readonly folders: ReadonlyMap<string, ReadonlyMap<string, SourceFile>>;
}

/** Reads the file of a site at the root of a folder; undefined for a folder without one. */
export async function readSiteFolder(
  files: ReadonlyMap<string, SourceFile>,
  reads: SourceReads,
): Promise<SiteFolder | undefined> {
  for (const name of SITE_FILES) {
    const file = files.get(name);
    if (file === undefined || file.size > 4 * MAX_YAML) continue;
    const bytes = await file.read();
    const source = textOfBytes(bytes);
    if (name !== SITE_FILES[0] && !describesSite(source)) continue;
    const read = await reads.site(source);
    const fault = bytesFault(bytes, true);
    const folders = foldersOf(files, name, read.site);
    return {
      name,
      source,
      site: read.site,
      lines: read.lines,
      folders,
      problems: [
        ...(fault ? [{ file: name, line: 1, level: 'warning', ...fault } as const] : []),
        ...[...read.problems, ...emptyFolders(read, folders)].map(
          (problem) => ({ file: name, level: 'error', rule: 'configuration', ...problem }) as const,
        ),
      ],
    };
  }
  return undefined;
}

function foldersOf(
  files: ReadonlyMap<string, SourceFile>,
  name: string,
  site: SiteFile | undefined,
): Map<string, Map<string, SourceFile>> {
  const folders = new Map<string, Map<string, SourceFile>>();
  for (const { content } of spacesOf(site?.structure ?? [])) {
    const directory = content.directory === null ? undefined : directoryFrom('', content.directory);
    if (directory !== undefined) folders.set(directory, new Map());
  }
  // A folder within another one belongs to its own space only.
  const inner = [...folders.keys()].sort((a, b) => b.length - a.length);
  for (const [path, file] of files) {
    const directory = inner.find((each) => each === '' || path.startsWith(`${each}/`));
    if (directory === undefined || path === name) continue;
    folders.get(directory)?.set(directory === '' ? path : path.slice(directory.length + 1), file);
  }
  return folders;
}

function emptyFolders(
  { site, lines }: ReadSite,
  folders: ReadonlyMap<string, ReadonlyMap<string, SourceFile>>,
): { readonly line: number; readonly message: string }[] {
  return spacesOf(site?.structure ?? []).flatMap(({ key, content: { directory } }) => {
    const place = directory === null ? undefined : directoryFrom('', directory);
    if (place === undefined || (folders.get(place)?.size ?? 0) > 0) return [];
    return [{ line: lines.get(key) ?? 1, message: `the folder ${place} of the space ${key} is not there` }];
  });
}
