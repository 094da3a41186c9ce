import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { ContentStore, NOTHING_HIDDEN, type Point } from '../content/content-store.js';
import { ContentWriter, type WriteOptions, type WriteTarget } from '../content/content-writer.js';
import { reference } from '../../formats/document/data-checks.js';
import type { ContentRef, Document } from '../../formats/document/types.js';
import { itemKey } from '../content/domain/content-item.js';
import { ContentLines, primaryPoint, requestPoint } from '../content/content-lines.js';
import { NewSpaces } from '../content/new-spaces.service.js';
import { parsedDocument } from '../interchange/domain/plan-pages.js';
import { DIRECT_READS } from '../interchange/domain/source-reads.js';
import { readContent } from '../interchange/folder-reader.js';
import { addingChanges, type DesiredContent, type DesiredPage } from '../interchange/import-changes.js';
import { Blobs } from '../../kernel/platform/storage/blobs.js';
import type { SpaceForCaller } from '../../workspace/spaces/spaces.schema.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import { fillReferences, placeholderName, type GivenRefs } from './domain/content-refs.js';
import { VisibleReferences } from './visible-references.js';
import { TemplateLibrary, type Template } from './template-library.js';
import type { ApplyTemplate, CreateSpace } from './templates.schema.js';

const isReference = reference();
const NOTHING = { files: [], reusables: [], variables: [], tags: [] };

/** A template that is read, and whose files are stored. */
export interface ReadTemplate {
  readonly template: Template;
  readonly content: DesiredContent<Document>;
}

/** A template that is read and ready to be written, in the transaction of its target. */
export interface FilledTemplate {
  readonly title: string;
  readonly content: DesiredContent<Document>;
}

/** A template for a space among others that are created with it. */
export interface LinkedTemplate {
  readonly read: ReadTemplate;
  readonly title: string;
  /** By placeholder: the template whose space it leads to. */
  readonly links: Readonly<Record<string, string>>;
}

/** The field with the template in the request: the beginning of the paths in errors, '' or ending with a dot. */
interface Asking {
  readonly caller: Caller;
  readonly path: string;
  /** The point for references without a space; a new space has no content yet. */
  readonly here?: Point;
}

/** Lists templates, and writes their pages to spaces and change requests. */
@Injectable()
export class Templates {
  constructor(
    private readonly library: TemplateLibrary,
    private readonly references: VisibleReferences,
    private readonly database: Database,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly blobs: Blobs,
    private readonly writer: ContentWriter,
    private readonly newSpaces: NewSpaces,
    private readonly spaces: Spaces,
  ) {}

  async list(): Promise<Template[]> {
    return [...(await this.library.all()).values()];
  }

  /**
   * Adds the pages of a template to a space, or to one of its change requests, after existing ones. Throws `invalid`
   * for an unknown template or a reference that the caller cannot see, `conflict` if the target is read-only.
   */
  async apply(caller: Caller, target: WriteTarget, asked: ApplyTemplate): Promise<void> {
    const filled = await this.prepare({ caller, path: '', here: await this.pointOf(target) }, asked);
    await this.write(target, filled, { caller });
  }

  /** Creates a space with the requested initial content: a template, a computed page, an empty page or nothing. */
  async createSpace(
    caller: Caller,
    organization: OrganizationAccess,
    { template, ...facts }: CreateSpace,
  ): Promise<SpaceForCaller> {
    if (!template) return this.newSpaces.create(caller, organization, facts);
    if (facts.computedSource)
      throw invalid('template', 'a space begins with a template or a computed source, not both');
    await this.newSpaces.checkPlace(caller, organization, facts.parent);
    const filled = await this.prepare({ caller, path: 'template.' }, template);
    const id = await this.database.transaction(async () => {
      const spaceId = await this.newSpaces.insert(caller.userId, organization.id, { ...facts, empty: true });
      await this.write({ spaceId }, filled, { evenIfLocked: true });
      return spaceId;
    });
    return this.spaces.get(caller.userId, id);
  }

  /**
   * Creates spaces from templates that have been read, in the transaction of the caller, who has checked the place. Each
   * placeholder of a template leads to the space of the template that `links` names for it. Returns the ids in order.
   */
  async createLinkedSpaces(
    userId: string,
    organizationId: string,
    spaces: readonly LinkedTemplate[],
  ): Promise<string[]> {
    const ids = new Map<string, string>();
    for (const { read, title } of spaces)
      ids.set(read.template.id, await this.newSpaces.insert(userId, organizationId, { title, empty: true }));
    for (const { read, links } of spaces) {
      const given = Object.entries(links).map(([name, template]): [string, ContentRef] => [
        name,
        { kind: 'space', space: ids.get(template) ?? '' },
      ]);
      await this.write({ spaceId: ids.get(read.template.id) ?? '' }, filledTemplate(read, Object.fromEntries(given)), {
        evenIfLocked: true,
      });
    }
    return [...ids.values()];
  }

  /** Reads a template and fills it; its files are stored, so this precedes the transaction that writes it. */
  async prepare(asking: Asking, { id, params }: ApplyTemplate): Promise<FilledTemplate> {
    const templates = await this.library.all();
    const template = templates.get(id);
    if (!template)
      throw invalid(`${asking.path}id`, `there is no such template; there are ${[...templates.keys()].join(', ')}`);
    const given = await this.readReferences(asking, template, params?.contentRefs ?? {});
    return filledTemplate(await this.read(template), given);
  }

  /** Reads a template of the library by its id, as `prepare` does. Throws `notFound` where the library has none. */
  async readById(id: string): Promise<ReadTemplate> {
    const template = (await this.library.all()).get(id);
    if (!template) throw notFound('Template');
    return this.read(template);
  }

  private async read(template: Template): Promise<ReadTemplate> {
    const store = ({ name, bytes }: { name: string; bytes: Buffer }) => this.blobs.store(bytes, { name });
    // Templates belong to this package, so they are read in the calling thread.
    const content = await readContent<Document>(template.files, {
      reads: DIRECT_READS,
      objects: new Map(),
      keep: parsedDocument,
      store,
    });
    return { template, content };
  }

  /** Writes a filled template through the content writer; it joins the caller's transaction. */
  async write(
    target: WriteTarget,
    { title, content }: FilledTemplate,
    options: Pick<WriteOptions, 'caller' | 'evenIfLocked'> = {},
  ): Promise<void> {
    await this.database.transaction(async () => {
      const point = await this.lockedPoint(target);
      const names = Object.keys(content.variables);
      const present = await this.store.byKeys(
        point,
        names.map((name) => itemKey({ kind: 'variable', id: name })),
      );
      const variables = Object.fromEntries(
        Object.entries(content.variables).filter(([name]) => !present.has(`variable:${name}`)),
      );
      await this.writer.write(
        target,
        addingChanges({ ...content, variables }, ({ document }) => (document ? { document } : {}), NOTHING),
        { ...options, allowMany: true, message: `Template: ${title}` },
      );
    });
  }

  private async readReferences(
    { caller, path, here }: Asking,
    template: Template,
    given: Record<string, unknown>,
  ): Promise<GivenRefs> {
    for (const [name, value] of Object.entries(given)) {
      const at = `${path}params.contentRefs.${name}`;
      if (!Object.hasOwn(template.contentRefs, name))
        throw invalid(at, `the template knows ${Object.keys(template.contentRefs).join(', ')}`);
      isReference(value, at, (place, message) => {
        throw invalid(place, message);
      });
      if (!(await this.references.canSee(caller, value as ContentRef, here)))
        throw invalid(at, 'has no target that you can see');
    }
    return given as GivenRefs;
  }

  private async pointOf({ spaceId, changeRequest }: WriteTarget): Promise<Point> {
    return changeRequest === undefined
      ? primaryPoint(await this.lines.primary(spaceId), NOTHING_HIDDEN)
      : requestPoint(await this.lines.request(spaceId, changeRequest), NOTHING_HIDDEN);
  }

  private async lockedPoint({ spaceId, changeRequest }: WriteTarget): Promise<Point> {
    return changeRequest === undefined
      ? primaryPoint(await this.lines.lockPrimary(spaceId), NOTHING_HIDDEN)
      : requestPoint(await this.lines.lockRequest(spaceId, changeRequest), NOTHING_HIDDEN);
  }
}

function filledTemplate({ template, content }: ReadTemplate, given: GivenRefs): FilledTemplate {
  return {
    title: template.title,
    content: {
      ...content,
      pages: content.pages.flatMap((page) => fillPage(page, given)),
      reusables: content.reusables.map((each) => ({
        ...each,
        document: each.document && fillReferences(each.document, given),
      })),
    },
  };
}

/**
 * Fills the references of a page and drops the slug of its file: slugs are derived from titles, and avoid existing
 * ones. A link without its target is left out.
 */
function fillPage(page: DesiredPage<Document>, given: GivenRefs): DesiredPage<Document>[] {
  const { slug: _slug, target, ...attributes } = page.attributes;
  const name = placeholderName(target);
  if (name !== undefined && !Object.hasOwn(given, name)) return [];
  const to = name === undefined ? target : given[name];
  return [
    {
      ...page,
      attributes: { ...attributes, ...(to !== undefined && { target: to }) },
      document: page.document && fillReferences(page.document, given),
    },
  ];
}
