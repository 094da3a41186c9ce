import { stringify } from 'yaml';
import { FreeNames } from '../../content/domain/free-names.js';
import { holdsNoPages, type PageType } from '../../content/domain/content-item.js';
import { isSlug, numberedSlug, slugOf } from '../../content/domain/slug.js';
import type { ContentRef, Document } from '../../../formats/document/types.js';
import { writeFrontmatter, type Frontmatter } from '../../../formats/markdown/frontmatter.js';
import { referenceUri } from '../../../formats/markdown/references.js';
import { serializeMarkdown, serializePage } from '../../../formats/markdown/serialize.js';
import { USUAL_STYLE } from '../../../formats/markdown/source-style.js';
import { writeComputed, type ComputedEntry } from './computed-entry.js';
import { writeConfig } from './gitbook-yaml.js';
import type { PlannedAttributes } from './plan-pages.js';
import {
  baseOf,
  directoryOf,
  encodePath,
  isIndex,
  isMarkdown,
  joinPath,
  relativePath,
  titleFromName,
  withoutExtension,
} from './repository-paths.js';
import { type SummaryLine, writeSummary } from './summary.js';
import { joinPageTags, TAGS_FILE, writeTags, type FolderTag } from './tags-file.js';

/** A page of the space, without its document. Siblings come in order. */
export interface ExportPage {
  id: string;
  parent: string | undefined;
  type: PageType;
  title: string;
  linkTitle?: string;
  slug?: string;
  /** Its former path, which is kept as long as it matches the slug. */
  path?: string;
  /** True if the file at its former path gives it this slug, whatever the name of the file is. */
  slugWritten?: boolean;
  target?: ContentRef;
  computed?: ComputedEntry;
  attributes?: PlannedAttributes;
  /** True if the page has no document, so it needs no file unless it has other attributes. */
  empty?: boolean;
}

export interface ExportSpace {
  pages: readonly ExportPage[];
  files: readonly { id: string; name: string; path?: string }[];
  reusableContents: readonly { id: string; title: string; path?: string }[];
  variables?: Readonly<Record<string, string | number | boolean>>;
  tags?: readonly FolderTag[];
  redirects?: readonly { from: string; target: ContentRef }[];
  /** The paths of pages of other spaces, by `placeOfOther`. */
  others?: ReadonlyMap<string, string>;
  /** The path of the table of contents, if it is not the usual one. */
  summary?: string;
  /** Former paths that the table of contents did not name. */
  unlisted?: ReadonlySet<string>;
}

const SUMMARY = 'SUMMARY.md';
const README = 'README.md';

export interface ExportPlan {
  /** The path of each page, reusable content and file; a page without an entry has no file of its own. */
  paths: ReadonlyMap<string, string>;
  /** `SUMMARY.md`, `.gitbook.yaml` and other texts, by path. */
  texts: ReadonlyMap<string, string>;
  /** The slugs of pages, by id, that do not follow from the folder and have to be written. */
  slugs: ReadonlyMap<string, string>;
  /** The pages that the table of contents does not name: they are imported hidden. */
  unlisted: ReadonlySet<string>;
  /** The targets of redirects, by the path that they lead from. */
  redirects: ReadonlyMap<string, string>;
}

/**
 * Plans the folder of an exported space, so that `planImport` reads the same space from it. Pages are written one by
 * one, by `writePage`, so memory stays bounded.
 */
export function planExport(space: ExportSpace): ExportPlan {
  const layout = new Layout(space);
  const { summary } = layout;
  const texts = new Map<string, string>([[summary, layout.tableOfContents()]]);
  const redirects = new Map(
    (space.redirects ?? []).map(({ from, target }) => [from, targetFrom('', target, layout.targets)]),
  );
  const isUsual = layout.readme === README && summary === SUMMARY;
  const config = writeConfig({ ...(isUsual ? {} : { structure: { readme: layout.readme, summary } }), redirects });
  if (config !== undefined) texts.set('.gitbook.yaml', config);
  if (space.variables !== undefined && Object.keys(space.variables).length > 0)
    texts.set('.gitbook/vars.yaml', stringify(space.variables, { lineWidth: 0 }));
  return { paths: layout.paths, texts, slugs: layout.slugs(), unlisted: layout.unlisted, redirects };
}

/** Exports a whole space at once: text by path, and the id of the file whose bytes belong at a path. */
export function exportFolder(
  space: ExportSpace,
  documentOf: (id: string) => Document,
): Map<string, string | { file: string }> {
  const plan = planExport(space);
  const folder = new Map<string, string | { file: string }>(plan.texts);
  const tags = writeTags(space.tags ?? []);
  if (tags !== undefined) folder.set(TAGS_FILE, tags);
  for (const page of space.pages) {
    const path = plan.paths.get(page.id);
    if (path !== undefined) folder.set(path, writePage(withSlug(page, plan), documentOf(page.id), path, plan.paths));
  }
  for (const content of space.reusableContents) {
    const path = plan.paths.get(content.id) ?? '';
    folder.set(path, writeReusableContent(content, documentOf(content.id), path, plan.paths));
  }
  for (const file of space.files) folder.set(plan.paths.get(file.id) ?? '', { file: file.id });
  return folder;
}

/** A page with its slug only if that has to be written. */
export function withSlug({ slug: _slug, ...page }: ExportPage, { slugs }: Pick<ExportPlan, 'slugs'>): ExportPage {
  const slug = slugs.get(page.id);
  return slug === undefined ? page : { ...page, slug };
}

/** The path of each page, reusable content and file, by id; the objects that a document refers to suffice. */
type Paths = ReadonlyMap<string, string>;

/** Writes references in the file at a path. */
export function rendererFor(path: string, paths: Paths): (ref: ContentRef) => string {
  return (ref) => targetFrom(directoryOf(path), ref, paths);
}

/** The Markdown of one page, at its path. */
export function writePage(
  page: ExportPage,
  document: Document,
  path: string,
  paths: Paths,
  style = USUAL_STYLE,
): string {
  const render = rendererFor(path, paths);
  const head = { title: page.title, frontmatter: frontmatterOf(page, render) };
  return serializePage(head, withTags(document, page), { render, style });
}

/** A document that keeps the tags of its page among the front matter that is no field of the service. */
function withTags(document: Document, { attributes: { tags = [] } = {} }: ExportPage): Document {
  if (tags.length === 0) return document;
  const { frontmatter } = document.data;
  const written = joinPageTags(tags, frontmatter?.['tags']);
  return { ...document, data: { ...document.data, frontmatter: { ...frontmatter, tags: written } } };
}

/** The Markdown of one reusable content, at its path. */
export function writeReusableContent(
  { title }: { readonly title: string },
  document: Document,
  path: string,
  paths: Paths,
  style = USUAL_STYLE,
): string {
  const extra = document.data.frontmatter;
  const head = writeFrontmatter({ title, ...(extra === undefined ? {} : { extra }) });
  return head + serializeMarkdown(document, { render: rendererFor(path, paths), style });
}

/** The name of a page of another space among paths. */
export function placeOfOther(space: string, page: string): string {
  return `${space}/${page}`;
}

/** A reference as a target in a file of `directory`. */
function targetFrom(directory: string, ref: ContentRef, paths: Paths): string {
  if (ref.kind === 'url') return ref.url;
  const space = 'space' in ref ? ref.space : undefined;
  const isHere = space === undefined;
  if (ref.kind === 'anchor' && ref.page === undefined && isHere) return `#${encodePath(ref.anchor)}`;
  const id =
    ref.kind === 'page' || ref.kind === 'anchor'
      ? ref.page
      : ref.kind === 'file'
        ? ref.file
        : ref.kind === 'reusable-content'
          ? ref.reusableContent
          : undefined;
  const path = id === undefined ? undefined : paths.get(isHere ? id : placeOfOther(space, id));
  if (path === undefined) return referenceUri(ref);
  return encodePath(relativePath(directory, path)) + (ref.kind === 'anchor' ? `#${encodePath(ref.anchor)}` : '');
}

class Layout {
  readonly paths = new Map<string, string>();
  readonly readme: string;
  readonly summary: string;
  readonly unlisted: ReadonlySet<string>;
  /** The paths, and those of other spaces. */
  readonly targets: Paths;
  private readonly children = new Map<string | undefined, ExportPage[]>();
  private readonly directories = new Map<string, string>();
  /** Lower case, because two names that differ in case only are one file on some systems. */
  private readonly taken = new FreeNames(
    [SUMMARY, '.gitbook.yaml', '.gitbook/vars.yaml', TAGS_FILE, 'license', 'node_modules'],
    (path) => path.toLowerCase(),
  );

  constructor(space: ExportSpace) {
    this.summary = space.summary ?? SUMMARY;
    this.taken.add(this.summary);
    for (const page of space.pages) {
      const siblings = this.children.get(page.parent);
      if (siblings) siblings.push(page);
      else this.children.set(page.parent, [page]);
    }
    for (const page of space.pages)
      if (
        page.type === 'document' &&
        page.path !== undefined &&
        (page.slugWritten === true || followsFromPath(page, page.path))
      )
        this.takeIfFree(page.id, page.path, isMarkdown(page.path));
    for (const content of space.reusableContents)
      if (content.path !== undefined)
        this.takeIfFree(
          content.id,
          content.path,
          isMarkdown(content.path) && content.path.startsWith('.gitbook/includes/'),
        );
    for (const file of space.files)
      if (file.path !== undefined) this.takeIfFree(file.id, file.path, baseOf(file.path) === file.name);
    const home = (this.children.get(undefined) ?? []).find((page) => page.type === 'document');
    const ownsReadme = home !== undefined && home.slug === 'readme' && (this.children.get(home.id) ?? []).length === 0;
    if (ownsReadme && !this.paths.has(home.id)) this.takeIfFree(home.id, 'README.md', true);
    this.place(undefined, '');
    this.readme = home === undefined ? README : (this.paths.get(home.id) ?? README);
    this.unlisted = new Set(
      space.pages.filter((page) => this.isUnlisted(page, home, space.unlisted)).map(({ id }) => id),
    );
    for (const content of space.reusableContents)
      if (!this.paths.has(content.id))
        this.paths.set(content.id, this.free('.gitbook/includes', slugOf(content.title), '.md'));
    for (const file of space.files)
      if (!this.paths.has(file.id))
        this.paths.set(
          file.id,
          this.free(
            '.gitbook/assets',
            safeName(file.name).replace(/(\.[^.]*)?$/, ''),
            /(\.[^.]+)?$/.exec(safeName(file.name))?.[0] ?? '',
          ),
        );
    this.targets = new Map([...(space.others ?? []), ...this.paths]);
  }

  tableOfContents(): string {
    const groups: { title?: string; entries: SummaryLine[] }[] = [];
    for (const page of this.children.get(undefined) ?? []) {
      if (this.unlisted.has(page.id)) continue;
      if (page.type === 'group') {
        groups.push({
          title: page.title,
          entries: (this.children.get(page.id) ?? []).map((child) => this.line(child)),
        });
        continue;
      }
      const last = groups[groups.length - 1];
      if (last === undefined || last.title !== undefined) groups.push({ entries: [this.line(page)] });
      else last.entries.push(this.line(page));
    }
    return writeSummary(groups);
  }

  /** The slugs that an import would not find by itself. */
  slugs(): Map<string, string> {
    const slugs = new Map<string, string>();
    for (const siblings of this.children.values()) {
      const taken = new FreeNames();
      for (const { id, type, title, slug } of siblings) {
        if (holdsNoPages(type)) continue;
        const path = this.paths.get(id);
        const wanted = path === undefined ? slugOf(title) : slugOfPath(path);
        if (taken.take((number) => numberedSlug(wanted, number)) !== slug && slug !== undefined) slugs.set(id, slug);
      }
    }
    return slugs;
  }

  /** A page that the table of contents need not name now if it did not name it before: one that is found anyway, in the same place. */
  private isUnlisted(page: ExportPage, home: ExportPage | undefined, before: ReadonlySet<string> = new Set()): boolean {
    const path = this.paths.get(page.id);
    if (path === undefined || path !== page.path || page.parent !== undefined || !before.has(path)) return false;
    if (page.linkTitle !== undefined || this.children.has(page.id)) return false;
    if (page === home) return path === README && page.title === titleFromName(README) && !page.attributes?.hidden;
    return page.attributes?.hidden === true;
  }

  private line(page: ExportPage): SummaryLine {
    const directory = directoryOf(this.summary);
    if (page.computed !== undefined) return { title: '', computed: writeComputed(page.computed), children: [] };
    const path = this.paths.get(page.id);
    const target =
      page.type === 'link'
        ? targetFrom(directory, page.target ?? { kind: 'url', url: '' }, this.targets)
        : path === undefined
          ? undefined
          : encodePath(relativePath(directory, path));
    return {
      title: page.title,
      ...(target === undefined ? {} : { target }),
      ...(page.linkTitle === undefined ? {} : { linkTitle: page.linkTitle }),
      children: (this.children.get(page.id) ?? []).map((child) => this.line(child)),
    };
  }

  private place(parent: string | undefined, directory: string): void {
    for (const page of this.children.get(parent) ?? []) {
      const inside = this.children.get(page.id) ?? [];
      if (page.type === 'document' && this.needsFile(page) && !this.paths.has(page.id)) {
        const name =
          page.slug !== undefined && isSlug(page.slug) && !page.slug.startsWith('.')
            ? page.slug
            : slugOf(page.slug ?? page.title);
        const asFolder = inside.length > 0;
        this.paths.set(
          page.id,
          asFolder
            ? this.freeFolder(directory, name)
            : this.free(directory, name === 'readme' || name === 'index' ? `${name}-page` : name, '.md'),
        );
      }
      const own = this.paths.get(page.id);
      const folder =
        own !== undefined && own.endsWith('/README.md')
          ? directoryOf(own)
          : joinPath(directory, slugOf(page.slug ?? page.title));
      this.directories.set(page.id, folder);
      this.place(page.id, folder);
    }
  }

  /** An empty page needs no file: its title in the table of contents is sufficient, if its slug follows from it. */
  private needsFile(page: ExportPage): boolean {
    return page.empty !== true || page.slug !== slugOf(page.title) || Object.keys(page.attributes ?? {}).length > 0;
  }

  private freeFolder(directory: string, name: string): string {
    return this.taken.take((number) => joinPath(directory, number === 0 ? name : `${name}-${number}`, 'README.md'));
  }

  private free(directory: string, name: string, extension: string): string {
    return this.taken.take((number) => joinPath(directory, `${number === 0 ? name : `${name}-${number}`}${extension}`));
  }

  private takeIfFree(id: string, path: string, isUsable: boolean): void {
    if (!isUsable || this.taken.has(path)) return;
    this.paths.set(id, path);
    this.taken.add(path);
  }
}

/**
 * Tells whether the slug of a page follows from the path of its file. Siblings whose files have the same name have
 * numbers in their slugs.
 */
export function followsFromPath({ slug = '' }: ExportPage, path: string): boolean {
  const own = slugOfPath(path);
  return slug === own || (slug.startsWith(`${own}-`) && /^\d+$/.test(slug.slice(own.length + 1)));
}

/** The slug that an import gives to the page at a path. */
function slugOfPath(path: string): string {
  const directory = directoryOf(path);
  return slugOf(isIndex(path) && directory !== '' ? baseOf(directory) : withoutExtension(baseOf(path)));
}

/** A file name that is one segment and not hidden. */
function safeName(name: string): string {
  const safe = [...name]
    .map((character) => (/[/\\]/.test(character) || character.charCodeAt(0) < 32 ? '-' : character))
    .join('')
    .replace(/^\.+/, '');
  return safe === '' ? 'file' : safe;
}

function frontmatterOf(page: ExportPage, render: (ref: ContentRef) => string): Frontmatter {
  const { cover, metaLinks, slug: _slug, tags: _tags, ...simple } = page.attributes ?? {};
  const frontmatter: Frontmatter = { ...simple };
  if (page.slug !== undefined) frontmatter.slug = page.slug;
  if (cover !== undefined) {
    if (cover.ref !== undefined) frontmatter.cover = render(cover.ref);
    if (cover.refDark !== undefined) frontmatter.coverDark = render(cover.refDark);
    frontmatter.coverY = cover.yPos;
    if (cover.height !== undefined) frontmatter.coverHeight = cover.height;
  }
  if (metaLinks !== undefined) {
    frontmatter.metaLinks = {
      ...(metaLinks.canonical === undefined ? {} : { canonical: render(metaLinks.canonical) }),
      ...(metaLinks.alternates === undefined ? {} : { alternates: metaLinks.alternates.map(render) }),
    };
  }
  return frontmatter;
}
