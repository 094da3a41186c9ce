import { Inject, Injectable } from '@nestjs/common';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { Cache } from '../../../kernel/common/cache.js';
import type { UsedVersions } from '../../../authoring/content/computed-pages.js';
import type { ComputedSource } from '../../../formats/document/computed-source.js';
import {
  isCallableMethod,
  type CallableServers,
  type OperationTool,
} from '../../../formats/html/openapi/operation-tool.js';
import { ToolNames } from '../../../formats/html/openapi/tool-names.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import { OperationCaller } from './operation-caller.js';
import { PageContents } from './page-contents.js';
import type { SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

/** Tools of one site for operations of APIs; further operations are none. */
const MAX_API_TOOLS = 100;
/** Length of the schemas of all of them, as JSON. */
const MAX_CHARACTERS = 500_000;
/** Pages with operations that may be callable which are read of one space, and at once. */
const MAX_PAGES = 2_000;
const PAGES_AT_ONCE = 20;

/** Tools in the order of their pages. */
export interface ApiTools {
  readonly tools: readonly OperationTool[];
  /** True if there may be further operations for which there was no room. */
  readonly isCut: boolean;
}

/** The tools of a site space for a visitor. */
interface KnownTools extends ApiTools {
  readonly used: UsedVersions;
}

/**
 * Offers operations of APIs as tools that call them: those that pages in the navigation show to the same visitor, at
 * servers that the operator has named.
 */
@Injectable()
export class SiteApiTools {
  private readonly servers: CallableServers;
  private readonly known = new Cache<KnownTools>({
    share: 4,
    weigh: ({ tools }) => 1_000 + 2 * JSON.stringify(tools).length,
  });

  constructor(
    private readonly trees: SpaceTrees,
    private readonly contents: PageContents,
    private readonly calls: OperationCaller,
    private readonly limit: RateLimit,
    @Inject(CONFIG) config: Pick<Config, 'mcpApiOrigins' | 'mcpApiWriteOrigins'>,
  ) {
    this.servers = { origins: config.mcpApiOrigins, writable: config.mcpApiWriteOrigins };
  }

  /** The tools for all operations, each once; none where the operator has named no server. */
  async of(site: SiteRequest): Promise<ApiTools> {
    if (this.servers.origins.length === 0) return { tools: [], isCut: false };
    const found = new Map<string, OperationTool>();
    let characters = 0;
    let isCut = false;
    for (const row of site.visit.rows.siteSpaces) {
      const inSpace = await this.inSpace(site, row);
      isCut ||= inSpace.isCut;
      for (const tool of inSpace.tools) {
        const key = `${tool.method} ${tool.server}${tool.path}`;
        if (found.has(key)) continue;
        characters += JSON.stringify(tool.arguments).length;
        if (found.size === MAX_API_TOOLS || characters > MAX_CHARACTERS)
          return { tools: [...found.values()], isCut: true };
        found.set(key, tool);
      }
    }
    return { tools: [...found.values()], isCut };
  }

  /** Adds tools to a server, beside others with those names. */
  register(server: McpServer, tools: readonly OperationTool[], taken: readonly string[], ip: string): void {
    const names = new ToolNames(taken);
    for (const tool of tools)
      server.registerTool(
        names.unique(tool.name),
        {
          title: tool.title,
          description: tool.description,
          inputSchema: inputOf(tool),
          annotations: {
            readOnlyHint: tool.isReading,
            ...(!tool.isReading && { idempotentHint: tool.method === 'PUT' || tool.method === 'DELETE' }),
            openWorldHint: true,
          },
        },
        async (given) => {
          await this.limit.admitReader(ip, 'heavy');
          return this.calls.call(tool, given, ip);
        },
      );
  }

  private async inSpace(site: SiteRequest, row: SiteSpaceRow): Promise<ApiTools> {
    const key = `${row.id} ${row.siteSpaceId} ${row.revisionId} ${site.visit.claimsKey}`;
    const known = this.known.get(key);
    if (known && (await this.trees.areCurrent(site.visit, row, known.used))) return known;
    const found = await this.find(site, row);
    this.known.set(key, found);
    return found;
  }

  private async find(site: SiteRequest, row: SiteSpaceRow): Promise<KnownTools> {
    const place = { ...site, row, section: undefined };
    const { tree, used: ofTree } = await this.trees.of(site.visit, row);
    const listed = tree.documents.filter(
      ({ isHidden, item }) => !isHidden && item.slug !== null && item.props['noIndex'] !== true,
    );
    const all = (await this.contents.showingOperations(place, listed)).filter(({ item }) =>
      mayBeCalled(item.props, this.servers),
    );
    const pages = all.slice(0, MAX_PAGES);
    const tools: OperationTool[] = [];
    const used = new Map(ofTree);
    // One more than there is room for tells that there are more.
    const most = MAX_API_TOOLS + 1;
    for (let start = 0; start < pages.length && tools.length < most; start += PAGES_AT_ONCE) {
      const found = await this.contents.tools(place, pages.slice(start, start + PAGES_AT_ONCE), {
        servers: this.servers,
        limit: most - tools.length,
      });
      tools.push(...found.tools);
      for (const [slug, version] of found.used) used.set(slug, version);
    }
    return { tools, used, isCut: all.length > pages.length || tools.length === most };
  }
}

/** Tells whether a page may show an operation that can be called, as far as its method tells. */
function mayBeCalled(props: Readonly<Record<string, unknown>>, { writable }: CallableServers): boolean {
  const { doc, method } = (props['computed'] as ComputedSource | undefined)?.props ?? {};
  if (doc !== 'operation' || typeof method !== 'string') return true;
  return isCallableMethod(method, { isWriting: writable.length > 0 });
}

/** The arguments of a tool: their schemas are told to clients, and checked by the API alone. */
function inputOf(tool: OperationTool) {
  return z.object(
    Object.fromEntries(
      tool.arguments.map(({ name, schema, isRequired }) => [
        name,
        (isRequired ? z.unknown() : z.unknown().optional()).meta(schema),
      ]),
    ),
  );
}
