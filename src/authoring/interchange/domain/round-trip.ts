import { withoutKeys, canonicalJson } from '../../../formats/document/hash.js';
import { checkPage, type PageCheck } from '../../../formats/markdown/check.js';
import { exportFolder, type ExportSpace } from './export.js';
import { planImport, type ImportPlan } from './plan.js';
import type { PlannedPage, PlanProblem, SourceFile } from './plan-model.js';
import type { Document } from '../../../formats/document/types.js';
import { parsedDocument, type PlannedDocument } from './plan-pages.js';

/** A page that differs after import, export and import. */
export interface RoundTripDifference {
  path: string;
  before: string;
  after: string;
}

export interface RoundTrip {
  pages: number;
  differing: RoundTripDifference[];
  /** The check of each page's source against its document, by path. */
  checks: Map<string, PageCheck>;
  problems: PlanProblem[];
}

interface ReadDocument extends PlannedDocument {
  readonly document: Document;
}

interface Loaded {
  plan: ImportPlan;
  documents: Map<string, ReadDocument>;
}

/**
 * Imports a repository in memory, exports it, imports the export and compares; and checks each page's document against
 * its source. Everything is in memory at once, so this is for tests and reports.
 */
export async function roundTrip(files: ReadonlyMap<string, SourceFile>): Promise<RoundTrip> {
  const before = await load(files);
  const folder = exportFolder(toSpace(before), (id) => required(before.documents.get(id)).document);
  const written = new Map(
    [...folder].map(([path, content]) => [path, bytes(typeof content === 'string' ? content : content.file)]),
  );
  const after = await load(written);
  const names = idsOfSecond(before, after, folder);
  const differing = before.plan.pages.flatMap((page, index) => {
    const a = canonicalJson(comparable(page, before, (id) => id));
    const other = after.plan.pages[index];
    const b = other === undefined ? '' : canonicalJson(comparable(other, after, (id) => names.get(id) ?? id));
    return a === b ? [] : [{ path: page.path ?? page.title, before: a, after: b }];
  });
  const extra = after.plan.pages
    .slice(before.plan.pages.length)
    .map((page) => ({ path: page.path ?? page.title, before: '', after: page.title }));
  const problems = [...before.plan.problems, ...[...before.documents.values()].flatMap((read) => read.problems)];
  return {
    pages: before.plan.pages.length,
    differing: [...differing, ...extra],
    checks: await checkAll(files, before),
    problems,
  };
}

async function load(files: ReadonlyMap<string, SourceFile>): Promise<Loaded> {
  let last = 0;
  const plan = await planImport(files, { newId: () => `id${(last += 1)}` });
  const documents = new Map<string, ReadDocument>();
  const add = (id: string, read: PlannedDocument) =>
    documents.set(id, { ...read, document: parsedDocument(read.json) });
  for (const page of plan.pages) add(page.id, await plan.readPage(page));
  for (const content of plan.reusableContents) add(content.id, await plan.readReusableContent(content));
  return { plan, documents };
}

function toSpace({ plan, documents }: Loaded): ExportSpace {
  const used = new Set([...documents.values()].flatMap((read) => read.files));
  return {
    pages: plan.pages.map((page) => ({
      ...page,
      attributes: documents.get(page.id)?.attributes ?? {},
      empty: page.type === 'document' && page.path === undefined,
    })),
    files: plan.files.filter((file) => file.asset || used.has(file.id)),
    reusableContents: plan.reusableContents,
    variables: plan.variables,
    ...(plan.tags && { tags: plan.tags }),
    redirects: plan.redirects,
  };
}

function bytes(text: string): SourceFile {
  const content = Buffer.from(text);
  return { size: content.length, read: async () => content };
}

/** Maps ids of the second import to those of the first: pages by place, files by the object written at their path. */
function idsOfSecond(
  before: Loaded,
  after: Loaded,
  folder: ReadonlyMap<string, string | { file: string }>,
): Map<string, string> {
  const names = new Map<string, string>();
  after.plan.pages.forEach((page, index) => names.set(page.id, before.plan.pages[index]?.id ?? page.id));
  after.plan.reusableContents.forEach((content) => {
    const same = before.plan.reusableContents.find((other) => other.title === content.title);
    names.set(content.id, same?.id ?? content.id);
  });
  for (const file of after.plan.files) {
    const written = folder.get(file.path);
    if (typeof written === 'object') names.set(file.id, written.file);
  }
  return names;
}

function comparable(page: PlannedPage, { documents }: Loaded, idOf: (id: string) => string): unknown {
  const read = documents.get(page.id);
  const { type, title, linkTitle, slug, target, computed, parent } = page;
  const content = { document: withoutKeys(read?.document), attributes: read?.attributes, target, computed };
  return {
    type,
    title,
    linkTitle,
    slug,
    parent: parent === undefined ? undefined : idOf(parent),
    ...(translate(content, idOf) as object),
  };
}

const ID_FIELDS = new Set(['page', 'file', 'reusableContent']);

function translate(value: unknown, idOf: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => translate(item, idOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      ID_FIELDS.has(key) && typeof item === 'string'
        ? idOf(item)
        : key === 'values'
          ? tableValues(item, idOf)
          : translate(item, idOf),
    ]),
  );
}

/** Cells of a column of files contain plain ids. */
function tableValues(value: unknown, idOf: (id: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      Array.isArray(item) ? item.map((id: unknown) => (typeof id === 'string' ? idOf(id) : id)) : translate(item, idOf),
    ]),
  );
}

async function checkAll(
  files: ReadonlyMap<string, SourceFile>,
  { plan, documents }: Loaded,
): Promise<Map<string, PageCheck>> {
  const checks = new Map<string, PageCheck>();
  for (const page of plan.pages) {
    const read = documents.get(page.id);
    const source = page.path === undefined ? undefined : files.get(plan.original(page.path));
    if (read === undefined || source === undefined || page.path === undefined) continue;
    const title = read.title;
    checks.set(
      page.path,
      checkPage((await source.read()).toString('utf8'), read.document, {
        resolve: plan.resolver(page.path),
        ...(title === undefined ? {} : { title }),
      }),
    );
  }
  return checks;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the plan has no such document');
  return value;
}
