import { recordingFetch } from './contract/hooks.js';
import { Client, type RequestOptions } from './client.js';

type Answer<Body> = Promise<{ readonly data: Body; readonly status: number }>;
type Query = RequestOptions['query'];

/** A page of a tree as the scenario looks at it. */
export interface PageNode {
  readonly id: string;
  readonly type: 'document' | 'group' | 'link' | 'computed';
  readonly title: string;
  readonly slug?: string;
  readonly path?: string;
  readonly description?: string;
  readonly hidden?: boolean;
  readonly pages?: readonly PageNode[];
  readonly document?: { readonly object: 'document'; readonly nodes: readonly Readonly<Record<string, unknown>>[] };
  readonly markdown?: string;
  readonly documentId?: string;
  readonly href?: string;
}

export interface FileNode {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly downloadURL: string;
  readonly size: number;
  readonly dimensions?: { readonly width: number; readonly height: number };
}

export interface Revision {
  readonly id: string;
  readonly parents: readonly string[];
  readonly pages: readonly PageNode[];
  readonly files: readonly FileNode[];
}

export interface ChangeRequestNode {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly subject: string;
  readonly outdated: boolean;
  readonly revision: string;
}

export interface SearchHit {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly sections?: readonly {
    readonly id: string;
    readonly title: string;
    readonly path: string;
    readonly body: string;
  }[];
}

export interface List<Item> {
  readonly items: readonly Item[];
  readonly next?: { readonly page: string };
  readonly count?: number;
}

export interface SiteNode {
  readonly id: string;
  readonly title: string;
  readonly published: boolean;
  readonly urls: { readonly location: string; readonly published?: string };
}

/** The methods of the published client (`@gitbook/api` 0.146.0) that the scenario calls, under their names there. */
export interface PublishedClient {
  readonly spaces: {
    getSpaceById(space: string): Answer<{
      id: string;
      title: string;
      revision: string;
      urls: { location: string; app: string; published?: string };
    }>;
    getCurrentRevision(space: string, query?: Query): Answer<Revision>;
    listPages(space: string, query?: Query): Answer<{ pages: readonly PageNode[] }>;
    getPageById(space: string, page: string, query?: Query): Answer<PageNode>;
    getPageByPath(space: string, path: string, query?: Query): Answer<PageNode>;
    listFiles(space: string, query?: Query): Answer<List<FileNode>>;
    getFileById(space: string, file: string, query?: Query): Answer<FileNode>;
    searchSpaceContent(
      space: string,
      query: { readonly query: string; readonly limit?: number; readonly page?: string },
    ): Answer<List<SearchHit>>;
    createChangeRequest(space: string, body: { readonly subject?: string }): Answer<ChangeRequestNode>;
    getChangeRequestById(space: string, request: string): Answer<ChangeRequestNode>;
    updateChangeRequest(space: string, request: string): Answer<{ revision: string; result: string }>;
    mergeChangeRequest(space: string, request: string): Answer<{ revision: string; result: string }>;
  };
  readonly orgs: {
    createSite(organization: string, body: Readonly<Record<string, unknown>>): Answer<SiteNode>;
    publishSite(organization: string, site: string): Answer<SiteNode>;
    getPublishedContentSite(
      organization: string,
      site: string,
      query?: Query,
    ): Answer<Readonly<Record<string, unknown>>>;
    listSiteSpaces(
      organization: string,
      site: string,
      query?: Query,
    ): Answer<List<{ id: string; space: { id: string } }>>;
  };
  /** The client's generic request, for operations that it does not know by name; `path` begins after `/v1`. */
  request(call: {
    readonly path: string;
    readonly method: string;
    readonly body?: unknown;
    readonly type?: string;
    readonly format: 'json';
    readonly secure: boolean;
  }): Answer<unknown>;
}

/**
 * The published client pointed at a server, every answer of which is held to the contract; where the package is not
 * installed, our own client behind the same methods.
 */
export async function publishedClient(
  endpoint: string,
  authToken: string,
): Promise<{ readonly api: PublishedClient; readonly isPublished: boolean }> {
  const specifier = '@gitbook/api';
  try {
    const { GitBookAPI } = (await import(specifier)) as { GitBookAPI: new (options: object) => PublishedClient };
    return {
      api: new GitBookAPI({ endpoint, authToken, serviceBinding: { fetch: recordingFetch } }),
      isPublished: true,
    };
  } catch (error) {
    if (
      (error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND' &&
      (error as { code?: unknown }).code !== 'MODULE_NOT_FOUND'
    )
      throw error;
    return { api: ownClient(endpoint, authToken), isPublished: false };
  }
}

/** The same methods over the client of the other specs. */
function ownClient(endpoint: string, token: string): PublishedClient {
  const client = new Client(endpoint, token);
  const call = async <Body>(method: string, path: string, body?: unknown, query?: Query): Answer<Body> => {
    const answer = await client.send<Body>(method, path, body, { query });
    if (answer.status >= 400)
      throw new Error(`${method} ${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    return { data: answer.body, status: answer.status };
  };
  const get = <Body>(path: string, query?: Query) => call<Body>('GET', path, undefined, query);
  return {
    spaces: {
      getSpaceById: (space) => get(`/spaces/${space}`),
      getCurrentRevision: (space, query) => get(`/spaces/${space}/content`, query),
      listPages: (space, query) => get(`/spaces/${space}/content/pages`, query),
      getPageById: (space, page, query) => get(`/spaces/${space}/content/page/${page}`, query),
      getPageByPath: (space, path, query) => get(`/spaces/${space}/content/path/${path}`, query),
      listFiles: (space, query) => get(`/spaces/${space}/content/files`, query),
      getFileById: (space, file, query) => get(`/spaces/${space}/content/files/${file}`, query),
      searchSpaceContent: (space, query) => get(`/spaces/${space}/search`, query),
      createChangeRequest: (space, body) => call('POST', `/spaces/${space}/change-requests`, body),
      getChangeRequestById: (space, request) => get(`/spaces/${space}/change-requests/${request}`),
      updateChangeRequest: (space, request) => call('POST', `/spaces/${space}/change-requests/${request}/update`),
      mergeChangeRequest: (space, request) => call('POST', `/spaces/${space}/change-requests/${request}/merge`),
    },
    orgs: {
      createSite: (organization, body) => call('POST', `/orgs/${organization}/sites`, body),
      publishSite: (organization, site) => call('POST', `/orgs/${organization}/sites/${site}/publish`),
      getPublishedContentSite: (organization, site, query) =>
        get(`/orgs/${organization}/sites/${site}/published`, query),
      listSiteSpaces: (organization, site, query) => get(`/orgs/${organization}/sites/${site}/site-spaces`, query),
    },
    request: ({ path, method, body }) => call(method, path, body),
  };
}
