import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { DomainError, invalid, invalidFields } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { NewSpaces } from '../../authoring/content/new-spaces.service.js';
import { SITE_FILES } from '../../authoring/interchange/domain/site-file/site-file.js';
import type { PlanProblem } from '../../authoring/interchange/domain/plan-model.js';
import type { ImportProgressListener } from '../../authoring/interchange/folder-reader.js';
import { importerOf } from '../../authoring/interchange/import-caller.js';
import type { ImportProblem, ImportResult, ImportSource } from '../../authoring/interchange/import-order.js';
import { spaceTitle } from '../../authoring/interchange/import-writer.js';
import { LinkedFolders } from '../../authoring/interchange/linked-folders.service.js';
import { PooledReads } from '../../authoring/interchange/pooled-reads.js';
import { readSiteFolder, type SiteFolder } from '../../authoring/interchange/site-folder.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import { planSite, type PlannedSpace, type SitePlan } from './domain/site-plan.js';
import { SiteLock } from './site-lock.js';
import { SiteStructureWriter } from './site-structure-writer.service.js';
import { Sites } from './sites.service.js';
import { goneParts, NO_PARTS, type SiteParts } from './structure-changes.js';

export interface SiteImportOrder {
  readonly organizationId: string;
  readonly userId: string;
  readonly source: ImportSource;
  /** A site that is there already; without it a new one is made. */
  readonly siteId?: string;
  /** By default the title of the file. */
  readonly title?: string;
  readonly onProgress?: ImportProgressListener;
}

/** A space of an imported site. */
export interface ImportedSpace extends Pick<ImportResult, 'space' | 'revision' | 'changed' | 'pages' | 'files'> {
  /** The key of the node of the file that shows it. */
  readonly key: string;
}

export interface SiteImportResult {
  readonly site: string;
  readonly title: string;
  readonly pages: number;
  readonly files: number;
  /** Those with a folder, in the order of the file. */
  readonly spaces: readonly ImportedSpace[];
  readonly problems: readonly ImportProblem[];
}

/** The site was changed while its folders were read. */
class Moved extends Error {}

const MOST_ATTEMPTS = 3;

/** Imports folders that hold whole sites: their structure, and the content of all their spaces. */
@Injectable()
export class SiteImports {
  constructor(
    private readonly access: Access,
    private readonly reads: PooledReads,
    private readonly folders: LinkedFolders,
    private readonly sites: Sites,
    private readonly lock: SiteLock,
    private readonly writer: SiteStructureWriter,
    private readonly newSpaces: NewSpaces,
    private readonly spaces: Spaces,
  ) {}

  /**
   * Makes a site of a folder, or makes an existing one equal to it, in one transaction: everything is there afterwards, or
   * nothing. Parts are known again by the keys of the file. Parts that the file lacks leave the site; their spaces stay in
   * the organization. Throws `invalid` for a folder whose file has faults, `notFound` and `forbidden` if the user lacks
   * access or permission.
   */
  async importSite(order: SiteImportOrder): Promise<SiteImportResult> {
    const caller = importerOf(order);
    if (order.siteId !== undefined)
      await this.lock.hold(caller, { id: order.siteId, organizationId: order.organizationId }, 'site:admin', nothing);
    const folder = await readSiteFolder(order.source.files, this.reads);
    if (!folder) throw invalid('source', `the folder has no ${SITE_FILES[0]}`);
    const file = faultless(folder);
    return untilUnmoved(() => this.attempt(caller, order, folder, file));
  }

  /**
   * Makes the structure of a site equal to the file of a folder, in one transaction that `finish` completes with the spaces that
   * the site shows then. New spaces are empty, and those that are there keep their content. Throws as `importSite` does.
   */
  async importStructure(
    {
      organizationId,
      userId,
      siteId,
    }: Pick<SiteImportOrder, 'organizationId' | 'userId'> & { readonly siteId: string },
    folder: SiteFolder,
    finish: (spaces: readonly PlannedSpace[]) => Promise<void>,
  ): Promise<void> {
    const caller = importerOf({ organizationId, userId });
    const file = faultless(folder);
    const address = { id: siteId, organizationId };
    await untilUnmoved(async () => {
      const before = await this.writer.parts(siteId);
      const plan = planSite(file, before, newId);
      await this.lock.restructure(caller, address, async (site) => {
        this.requireUnmoved(before, await this.writer.parts(siteId));
        await this.settle(caller, organizationId, plan.spaces, true);
        await this.writer.write(site, plan, before);
        if (site.title !== file.title) await this.sites.update(caller, address, { title: file.title });
        await finish(plan.spaces);
      });
    });
  }

  private requireUnmoved(before: SiteParts, now: SiteParts): void {
    if (JSON.stringify([now, [...now.keys]]) !== JSON.stringify([before, [...before.keys]])) throw new Moved();
  }

  private async attempt(
    caller: Caller,
    { organizationId, userId, source, siteId, onProgress, ...wanted }: SiteImportOrder,
    folder: SiteFolder,
    file: NonNullable<SiteFolder['site']>,
  ): Promise<SiteImportResult> {
    const title = wanted.title ?? file.title;
    const before = siteId === undefined ? NO_PARTS : await this.writer.parts(siteId);
    const plan = planSite(file, before, newId);
    const placed = plan.spaces.flatMap((space) =>
      space.place === undefined ? [] : [{ ...space, place: space.place }],
    );
    const linked = placed.map(({ id, place, isNew, ...space }) => ({
      place,
      files: folder.folders.get(place) ?? new Map(),
      space: id,
      ...(isNew && { make: made(space) }),
    }));
    const { git } = source;
    return this.folders.importAll(
      { organizationId, userId, folders: linked, ...(git && { git }), ...(onProgress && { onProgress }) },
      async (results) => {
        const id = siteId ?? (await this.sites.create(caller, organizationId, { title })).id;
        await this.lock.restructure(caller, { id, organizationId }, async (site) => {
          this.requireUnmoved(before, await this.writer.parts(id));
          await this.settle(caller, organizationId, plan.spaces);
          await this.writer.write(site, plan, before);
        });
        if (siteId !== undefined) await this.sites.update(caller, { id, organizationId }, { title });
        return {
          site: id,
          title,
          pages: sumOf(results, 'pages'),
          files: sumOf(results, 'files'),
          spaces: results.map(({ space, revision, changed, pages, files }, index) => ({
            key: placed[index]?.key ?? '',
            space,
            revision,
            changed,
            pages,
            files,
          })),
          problems: [
            ...[...source.problems, ...problemsOf(folder, plan, before)].map((problem) => ({
              ...problem,
              line: problem.line ?? 1,
            })),
            ...results.flatMap((result) => result.problems),
          ],
        };
      },
    );
  }

  /** Makes the spaces whose content is not in the source, or all that are new, and gives all the others their title and language. */
  private async settle(
    caller: Caller,
    organizationId: string,
    planned: readonly PlannedSpace[],
    makesAll = false,
  ): Promise<void> {
    for (const space of planned)
      if (space.isNew && (makesAll || space.place === undefined))
        await this.newSpaces.insert(caller.userId, organizationId, { ...made(space), empty: true }, space.id);
    const known = planned.filter(({ isNew }) => !isNew);
    const present = await this.spaces.byIds(
      caller.userId,
      known.map(({ id }) => id),
    );
    for (const { id, ...space } of known) {
      const [now, { title, language }] = [present.get(id), made(space)];
      if (now?.title === title && (language === undefined || now.language === language)) continue;
      const access = await this.access.requireSpace(caller, id, 'space:admin');
      await this.spaces.update(caller, access, { title, ...(language !== undefined && { language }) });
    }
  }
}

/** Runs work that finds out that the site was changed meanwhile, a few times. */
async function untilUnmoved<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Moved)) throw error;
      if (attempt === MOST_ATTEMPTS)
        throw new DomainError('conflict', 'The site is being changed by others all the time; import again later');
    }
  }
}

/** The file of a folder; throws `invalid` with its faults. */
function faultless({ site, problems }: SiteFolder): NonNullable<SiteFolder['site']> {
  const faults = problems.filter(({ level }) => level === 'error');
  if (!site || faults.length > 0)
    throw invalidFields(faults.map(({ file, line = 1, message }) => ({ path: `${file}:${line}`, message })));
  return site;
}

const nothing = async (): Promise<void> => undefined;

/** The title and the language of a space. */
function made({ title, language }: Pick<PlannedSpace, 'title' | 'language'>): { title: string; language?: string } {
  return { title: spaceTitle(title), ...(language !== undefined && { language }) };
}

function sumOf(results: readonly ImportResult[], name: 'pages' | 'files'): number {
  return results.reduce((sum, result) => sum + result[name], 0);
}

function problemsOf({ name, lines, problems }: SiteFolder, plan: SitePlan, before: SiteParts): PlanProblem[] {
  const at = (key: string) => ({ file: name, line: lines.get(key) ?? 1 });
  const { groups, sections, links, siteSpaces } = goneParts(plan, before);
  const gone = [
    ...groups.map(({ title }) => `the section group ${title} is not in the file, and is removed`),
    ...sections.map(({ title }) => `the section ${title} is not in the file, and is removed`),
    ...links.map(({ title }) => `the link ${title} is not in the file, and is removed`),
    ...siteSpaces.map(({ title }) => `the space ${title} is not in the file: it leaves the site, and is kept`),
  ];
  return [
    ...problems,
    ...plan.notices.map(({ key, ...notice }) => ({ ...at(key), ...notice })),
    ...plan.spaces.flatMap(({ key, title }): PlanProblem[] =>
      spaceTitle(title) === title.trim()
        ? []
        : [{ ...at(key), level: 'notice', message: `the title of the space ${key} is cut: ${spaceTitle(title)}` }],
    ),
    ...gone.map((message) => ({ file: name, line: 1, level: 'notice', message }) as const),
  ];
}
