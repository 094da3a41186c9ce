import { z } from 'zod';
import { listed, pageText, treeText, type TreeEntry, type PageText } from './texts.js';
import { defineTool, id, INPUT, linePath, part, spacePath, type Tool } from './tool.js';

const { organization, space, changeRequest, inRequest, page, next, limit } = INPUT;

/** The tools that read. */
export const READING_TOOLS: readonly Tool[] = [
  defineTool({
    name: 'listOrganizations',
    title: 'List organizations',
    description: 'Lists the organizations of the user.',
    input: { next },
    run: (call, input) => listed(call, '/orgs', { page: input.next }),
  }),
  defineTool({
    name: 'listSpaces',
    title: 'List spaces',
    description: 'Lists the spaces of an organization that the user can read.',
    input: { organization, limit, next },
    run: (call, input) =>
      listed(call, `/orgs/${part(input.organization)}/spaces`, { limit: input.limit, page: input.next }),
  }),
  defineTool({
    name: 'search',
    title: 'Search',
    description: 'Finds pages by a question or keywords, best first, in one space or in all of an organization.',
    input: {
      query: z.string().min(1).max(512).describe('A question, keywords, "phrases" or identifiers'),
      organization: organization.optional().describe('Id of the organization to search; or give `space`'),
      space: space.optional().describe('Id of the space to search'),
      limit,
      next,
    },
    run: (call, { query, organization: within, space: inSpace, limit: most, next: page }) =>
      listed(call, inSpace === undefined ? `/orgs/${part(within ?? '')}/search` : `${spacePath(inSpace)}/search`, {
        query,
        limit: most,
        page,
      }),
  }),
  defineTool({
    name: 'askQuestion',
    title: 'Ask a question',
    description: 'Answers a question from the spaces of an organization that the user can read, with the sources.',
    input: { organization, question: z.string().min(1).max(512).describe('A question in any words') },
    run: async (call, input) => {
      const { body } = await call<{ answer: { answer?: { markdown?: string } } }>({
        method: 'POST',
        path: `/orgs/${part(input.organization)}/ask`,
        query: { format: 'markdown' },
        body: { query: input.question },
      });
      return body.answer.answer?.markdown ?? 'The content does not answer that.';
    },
  }),
  defineTool({
    name: 'listPages',
    title: 'List pages',
    description: 'Lists the pages of a space as a tree: ids, titles and paths, 200 at a time.',
    input: {
      space,
      changeRequest: inRequest,
      offset: z.number().int().min(0).default(0).describe('The number of pages to skip'),
    },
    run: async (call, input) => {
      const { body } = await call<{ pages: TreeEntry[] }>({
        method: 'GET',
        path: `${linePath(input.space, input.changeRequest)}/content/pages`,
      });
      return treeText(body.pages, input.offset);
    },
  }),
  defineTool({
    name: 'getPage',
    title: 'Get a page',
    description: 'Returns a page as Markdown, by its id or path; long pages in parts.',
    input: {
      space,
      changeRequest: inRequest,
      page: page.optional().describe('Id of the page; or give `path`'),
      path: z.string().max(1000).optional().describe('Path of the page, as listPages shows it'),
      offset: z.number().int().min(0).default(0).describe('The first character, to read on in a long page'),
    },
    run: async (call, { space: from, changeRequest: request, page: wanted, path, offset }) => {
      const line = linePath(from, request);
      const { body } = await call<PageText>({
        method: 'GET',
        path:
          wanted === undefined ? `${line}/content/path/${part(path ?? '')}` : `${line}/content/page/${part(wanted)}`,
        query: { format: 'markdown' },
      });
      return pageText(body, offset);
    },
  }),
  defineTool({
    name: 'listRevisions',
    title: 'List revisions',
    description: 'Lists the history of a space, newest first: who changed it, when, and why.',
    input: { space, limit, next },
    run: (call, input) => listed(call, `${spacePath(input.space)}/revisions`, { limit: input.limit, page: input.next }),
  }),
  defineTool({
    name: 'getChanges',
    title: 'Get changes',
    description: 'Lists what a revision of a space, or a change request, changes: pages, files and their attributes.',
    input: {
      space,
      revision: id('Id of a revision; or give `changeRequest`').optional(),
      changeRequest: changeRequest.optional(),
    },
    run: (call, input) =>
      listed(
        call,
        input.revision === undefined
          ? `${linePath(input.space, input.changeRequest ?? '')}/changes`
          : `${spacePath(input.space)}/revisions/${part(input.revision)}/changes`,
        {},
      ),
  }),
  defineTool({
    name: 'listLinks',
    title: 'List links',
    description: 'Lists the links of a space or change request; broken ones alone with `broken`.',
    input: { space, changeRequest: inRequest, broken: z.boolean().default(false), limit, next },
    run: (call, input) =>
      listed(call, `${linePath(input.space, input.changeRequest)}/links`, {
        status: input.broken ? 'broken' : undefined,
        limit: input.limit,
        page: input.next,
      }),
  }),
  defineTool({
    name: 'listBacklinks',
    title: 'List backlinks',
    description: 'Lists the pages that link to a page, of all spaces that the user can read.',
    input: { space, page, limit, next },
    run: (call, input) =>
      listed(call, `${spacePath(input.space)}/content/page/${part(input.page)}/backlinks`, {
        limit: input.limit,
        page: input.next,
      }),
  }),
  defineTool({
    name: 'listComments',
    title: 'List comments',
    description: 'Lists the comments on a space or a change request.',
    input: {
      space,
      changeRequest: inRequest,
      status: z.enum(['open', 'resolved', 'all']).default('open'),
      limit,
      next,
    },
    run: (call, input) =>
      listed(call, `${linePath(input.space, input.changeRequest)}/comments`, {
        format: 'markdown',
        status: input.status,
        limit: input.limit,
        page: input.next,
      }),
  }),
  defineTool({
    name: 'listChangeRequests',
    title: 'List change requests',
    description: 'Lists the change requests of a space.',
    input: { space, status: z.enum(['draft', 'open', 'archived', 'merged']).default('open'), limit, next },
    run: (call, input) =>
      listed(call, `${spacePath(input.space)}/change-requests`, {
        status: input.status,
        limit: input.limit,
        page: input.next,
      }),
  }),
  defineTool({
    name: 'getMergeChecks',
    title: 'Get merge checks',
    description: 'Says which rules a change request fulfills, and what it still lacks before a person can merge it.',
    input: { space, changeRequest },
    run: (call, input) => listed(call, `${linePath(input.space, input.changeRequest)}/merge-checks`, {}),
  }),
  defineTool({
    name: 'listMembers',
    title: 'List members',
    description: 'Lists the members of an organization, to find the ids of reviewers.',
    input: { organization, search: z.string().max(100).optional().describe('Part of a name or address'), limit, next },
    run: (call, input) =>
      listed(call, `/orgs/${part(input.organization)}/members`, {
        search: input.search,
        limit: input.limit,
        page: input.next,
      }),
  }),
];
