import { plain } from '../../content/domain/document/build.js';
import { deriveDocument } from '../../content/domain/document/derive.js';
import type { ComputedSource } from '../../content/domain/computed/source.js';
import type { ContentRef, Document, FileOrUrlRef } from '../../content/domain/document/types.js';
import { addressReference, isStorable } from '../../content/domain/link-target.js';
import { readFrontmatter, type Frontmatter, type PageLayout } from '../../content/markdown/frontmatter.js';
import { parseMarkdown } from '../../content/markdown/parse.js';
import type { PlannedPage, PlannedReusableContent, PlanProblem } from './plan-model.js';
import { directoryOf } from './repository-paths.js';
import type { Targets } from './targets.js';

/** What the frontmatter of a page says about it, with its references resolved. */
export interface PlannedAttributes {
  description?: string;
  icon?: string;
  emoji?: string;
  slug?: string;
  linkTitle?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  condition?: string;
  layout?: PageLayout;
  cover?: { ref?: FileOrUrlRef; refDark?: FileOrUrlRef; yPos: number; height?: number };
  variables?: Record<string, string | number | boolean>;
  metaLinks?: { canonical?: ContentRef; alternates?: ContentRef[] };
  computed?: ComputedSource;
}

export interface PlannedDocument {
  document: Document;
  /** The title that the source gives itself, in its frontmatter or first heading. */
  title: string | undefined;
  attributes: PlannedAttributes;
  /** Ids of the files that the page shows or links to. */
  files: string[];
  problems: PlanProblem[];
}

/** Reads the pages of a plan one at a time. */
export class PageReader {
  constructor(
    private readonly sources: ReadonlyMap<string, () => Promise<string | undefined>>,
    private readonly targets: Targets,
  ) {}

  /** The title that a page gives itself, '' if it gives none. */
  static async titleOf(source: string): Promise<string> {
    const { frontmatter, body } = readFrontmatter(source);
    if (frontmatter.title !== undefined) return frontmatter.title;
    const beginning = body.trimStart().split(/\n[ \t]*\r?\n/, 1)[0] ?? '';
    return parseMarkdown(beginning).title ?? '';
  }

  async page(page: PlannedPage): Promise<PlannedDocument> {
    const source = page.path === undefined ? undefined : await this.sources.get(page.path)?.();
    const read = this.read(page.path ?? '', source ?? '', true);
    const { document, title } = read;
    if (title !== undefined && title !== page.title) {
      const heading = document.data.heading ?? { title, nodes: [plain(title)] };
      document.data.heading = { ...heading, title: page.title };
    }
    if (page.hidden && read.attributes.hidden === undefined) read.attributes.hidden = true;
    return read;
  }

  async reusable(content: PlannedReusableContent): Promise<PlannedDocument> {
    const source = (await this.sources.get(content.path)?.()) ?? '';
    const { frontmatter, body, lines } = readFrontmatter(source);
    const read = this.read(content.path, body, false);
    for (const problem of read.problems) if (problem.line !== undefined) problem.line += lines;
    if (frontmatter.extra !== undefined) read.document.data.frontmatter = frontmatter.extra;
    return read;
  }

  private read(path: string, source: string, isPage: boolean): PlannedDocument {
    const directory = directoryOf(path);
    const problems: PlanProblem[] = [];
    const unknown = (target: string, line: number | undefined): void => {
      problems.push({ file: path, ...(line === undefined ? {} : { line }), level: 'warning', message: `${target} leads nowhere` });
    };
    const parsed = parseMarkdown(source, {
      page: isPage,
      resolve: (target, _kind, line) => {
        if (target.startsWith('#user-content-fn-')) return undefined;
        const found = this.targets.find(directory, target);
        if (found.ref === undefined && found.local) unknown(target, line);
        return found.ref;
      },
    });
    for (const problem of parsed.problems) problems.push({ file: path, level: 'notice', ...problem });
    const find = (target: string): ContentRef => {
      const found = this.targets.find(directory, target);
      if (found.ref === undefined && (found.local || !isStorable(target))) unknown(target, undefined);
      return found.ref ?? addressReference(target);
    };
    const attributes = attributesOf(parsed.frontmatter, find);
    const refs = [...deriveDocument(parsed.document).references.map(({ ref }) => ref), attributes.cover?.ref, attributes.cover?.refDark];
    const files = new Set(refs.flatMap((ref) => (ref?.kind === 'file' ? [ref.file] : [])));
    return { document: parsed.document, title: parsed.title, attributes, files: [...files], problems };
  }
}

function attributesOf(frontmatter: Frontmatter, find: (target: string) => ContentRef): PlannedAttributes {
  const { cover, coverDark, coverY, coverHeight, metaLinks, title: _title, extra: _extra, ...simple } = frontmatter;
  const attributes: PlannedAttributes = { ...simple };
  const hasCover = cover !== undefined || coverDark !== undefined || coverY !== undefined || coverHeight !== undefined;
  if (hasCover) {
    attributes.cover = {
      ...(cover === undefined ? {} : { ref: fileOrUrl(find(cover), cover) }),
      ...(coverDark === undefined ? {} : { refDark: fileOrUrl(find(coverDark), coverDark) }),
      yPos: coverY ?? 0,
      ...(coverHeight === undefined ? {} : { height: coverHeight }),
    };
  }
  if (metaLinks !== undefined) {
    attributes.metaLinks = {
      ...(metaLinks.canonical === undefined ? {} : { canonical: find(metaLinks.canonical) }),
      ...(metaLinks.alternates === undefined ? {} : { alternates: metaLinks.alternates.map(find) }),
    };
  }
  return attributes;
}

function fileOrUrl(ref: ContentRef, target: string): FileOrUrlRef {
  return ref.kind === 'file' || ref.kind === 'url' ? ref : addressReference(target);
}
