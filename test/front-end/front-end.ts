import { expect } from '@jest/globals';
import { Client } from '../client.js';

/** What a front end knows after it has asked for an address. */
export interface Lookup {
  readonly organization: string;
  readonly site: string;
  readonly siteSpace: string;
  readonly space: string;
  readonly apiToken: string;
  readonly pathname: string;
  readonly basePath: string;
}

export interface PageNode {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly path?: string;
  readonly documentId?: string;
  readonly pages?: readonly PageNode[];
}

/** A block, an inline or a text of a document. */
export interface DocumentNode {
  readonly object: string;
  readonly type?: string;
  readonly meta?: { readonly id?: string };
  readonly data?: Readonly<Record<string, unknown>>;
  readonly nodes?: readonly DocumentNode[];
  readonly leaves?: readonly { readonly text: string }[];
  readonly fragments?: readonly DocumentNode[];
}

type Ref = Readonly<
  Record<'kind' | 'page' | 'space' | 'file' | 'user' | 'spec' | 'reusableContent' | 'anchor', string>
>;

interface List<Item> {
  readonly items: readonly Item[];
  readonly next?: { readonly page: string };
}

const HEADING = /^heading-\d$/;

/** Every node below a document, and the document. */
export function nodesOf(node: DocumentNode): DocumentNode[] {
  return [node, ...[...(node.nodes ?? []), ...(node.fragments ?? [])].flatMap(nodesOf)];
}

/** The words of a document in order. */
export const wordsOf = (node: DocumentNode): string =>
  nodesOf(node)
    .flatMap(({ leaves = [] }) => leaves.map(({ text }) => text))
    .join(' ');

/** All references that the data of a node have. */
function refsIn(data: unknown): Ref[] {
  if (typeof data !== 'object' || data === null) return [];
  const own = 'kind' in data && typeof data.kind === 'string' ? [data as Ref] : [];
  return [...own, ...Object.values(data).flatMap(refsIn)];
}

export const flat = (pages: readonly PageNode[]): PageNode[] =>
  pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

/** Shows a site from the interface with nothing but the token that the look-up of its address gave. */
export class FrontEnd {
  private readonly api: Client;
  private readonly targets = new Map<string, Promise<number>>();

  constructor(
    url: string,
    readonly lookup: Lookup,
  ) {
    this.api = new Client(url, lookup.apiToken);
  }

  /** Looks an address up, as a visitor with these credentials. */
  static async open(url: string, address: string, visitor?: object): Promise<FrontEnd> {
    const { status, body } = await new Client(url, undefined).post<Lookup>('/urls/published', {
      url: address,
      ...(visitor && { visitor }),
    });
    expect(status).toBe(200);
    return new FrontEnd(url, body);
  }

  get site(): string {
    return `/orgs/${this.lookup.organization}/sites/${this.lookup.site}`;
  }

  async get<Body>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Body> {
    const { status, body } = await this.api.get<Body>(path, { query });
    expect([path, status]).toEqual([path, 200]);
    return body;
  }

  async statusOf(path: string): Promise<number> {
    return (await this.api.get(path)).status;
  }

  async post<Body>(path: string, body: object): Promise<{ status: number; body: Body }> {
    return this.api.post<Body>(path, body);
  }

  async all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let page: string | undefined; ;) {
      const list: List<Item> = await this.get<List<Item>>(path, { limit: '100', ...(page !== undefined && { page }) });
      items.push(...list.items);
      if (!list.next) return items;
      page = list.next.page;
    }
  }

  /** Reads a page in every way that a front end has, and expects the same content each time; returns its document. */
  async page(revision: string, page: PageNode): Promise<DocumentNode> {
    const { space } = this.lookup;
    const at = `/spaces/${space}/revisions/${revision}`;
    const { document } = await this.get<{ document: DocumentNode }>(`/spaces/${space}/content/page/${page.id}`, {
      format: 'document',
    });
    const alone = await this.get<DocumentNode>(`${at}/page/${page.id}/document`);
    expect(alone).toEqual(document);
    if (page.documentId !== undefined)
      expect(wordsOf(await this.get(`/spaces/${space}/documents/${page.documentId}`))).toEqual(wordsOf(document));
    const { markdown } = await this.get<{ markdown: string }>(`${at}/page/${page.id}`, { format: 'markdown' });
    expect(markdown.startsWith('# ')).toBe(true);
    if (page.path !== undefined)
      expect((await this.get<PageNode>(`${at}/path/${encodeURIComponent(page.path)}`)).id).toBe(page.id);
    return document;
  }

  /** The places of a document that can be linked to, each once. */
  anchorsOf(document: DocumentNode): string[] {
    const nodes = nodesOf(document);
    const ids = nodes.flatMap(({ meta }) => meta?.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const node of nodes.filter(({ type = '' }) => HEADING.test(type))) expect(node.meta?.id).toMatch(/./);
    return ids;
  }

  /** The statuses of what a document refers to in this site, by the reference. */
  async targetsOf(document: DocumentNode): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (const ref of nodesOf(document).flatMap(({ data }) => refsIn(data))) {
      const path = this.addressOf(ref);
      if (path === undefined) continue;
      const asked = this.targets.get(path) ?? this.statusOf(path);
      this.targets.set(path, asked);
      found.set(path, await asked);
    }
    return found;
  }

  private addressOf({
    kind,
    page,
    space = this.lookup.space,
    file,
    user,
    spec,
    reusableContent,
  }: Ref): string | undefined {
    const content = `/spaces/${space}/content`;
    if ((kind === 'page' || kind === 'anchor') && page !== undefined) return `${content}/page/${page}`;
    if (kind === 'file') return `${content}/files/${file}`;
    if (kind === 'reusable-content') return `${content}/reusable-contents/${reusableContent}`;
    if (kind === 'user') return `/users/${user}`;
    if (kind === 'openapi') return `/orgs/${this.lookup.organization}/openapi/${spec}/versions/latest/content`;
    return undefined;
  }
}
