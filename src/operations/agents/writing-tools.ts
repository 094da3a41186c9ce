import { z } from 'zod';
import type { CallApi } from './api-calls.js';
import type { PageText } from './texts.js';
import { defineTool, id, INPUT, linePath, part, spacePath, type Tool } from './tool.js';

const { space, changeRequest, page } = INPUT;
const MAX_MARKDOWN = 1_000_000;
const markdown = z.string().max(MAX_MARKDOWN).describe('The text of the page in Markdown, without its title');
const text = z.string().min(1).max(20_000).describe('The comment in Markdown');

/** The tools that write: none merges, publishes or changes rights. */
export const WRITING_TOOLS: readonly Tool[] = [
  defineTool({
    name: 'createChangeRequest',
    title: 'Open a change request',
    description: 'Opens a change request in a space. Content is written there, and people merge it.',
    input: { space, subject: z.string().max(100).describe('The change in a few words') },
    writes: true,
    run: async (call, { space: into, subject }) => {
      const { body } = await call<object>({
        method: 'POST',
        path: `${spacePath(into)}/change-requests`,
        body: { subject },
      });
      return JSON.stringify(body);
    },
  }),
  defineTool({
    name: 'createPage',
    title: 'Create a page',
    description: 'Creates a page in a change request.',
    input: {
      space,
      changeRequest,
      title: z.string().min(1).max(250),
      markdown,
      into: page.optional().describe('Id of the parent; the root when omitted'),
      at: z.number().int().min(0).optional().describe('Index among the siblings; the end when omitted'),
      description: z.string().max(300).optional(),
    },
    writes: true,
    run: (call, { space: target, changeRequest: request, markdown: written, ...fields }) =>
      change(call, target, request, { operation: 'insert_page', ...fields, document: { markdown: written } }),
  }),
  defineTool({
    name: 'updatePage',
    title: 'Update a page',
    description:
      'Changes the title, description, place or whole text of a page in a change request. What is omitted stays; use editPage for a part of the text.',
    input: {
      space,
      changeRequest,
      page,
      title: z.string().min(1).max(250).optional(),
      markdown: markdown.optional(),
      into: page.nullable().optional().describe('Id of the new parent; null for the root'),
      at: z.number().int().min(0).optional().describe('Index among the siblings'),
      description: z.string().max(300).optional(),
    },
    writes: true,
    run: (call, { space: target, changeRequest: request, markdown: written, ...fields }) =>
      change(call, target, request, {
        operation: 'update_page',
        ...fields,
        ...(written !== undefined && { document: { markdown: written } }),
      }),
  }),
  defineTool({
    name: 'editPage',
    title: 'Edit a part of a page',
    description:
      'Replaces a passage of the Markdown of a page in a change request. The passage must be there once, letter by letter; the other blocks of the page stay as they are.',
    input: {
      space,
      changeRequest,
      page,
      passage: z.string().min(1).max(MAX_MARKDOWN).describe('The Markdown to replace, as getPage shows it'),
      replacement: z.string().max(MAX_MARKDOWN).describe('The new Markdown; empty to remove the passage'),
    },
    writes: true,
    run: async (call, { space: target, changeRequest: request, page: edited, passage, replacement }) => {
      const line = linePath(target, request);
      const { etag } = await call({ method: 'GET', path: line });
      const { body } = await call<PageText>({
        method: 'GET',
        path: `${line}/content/page/${part(edited)}`,
        query: { format: 'markdown' },
      });
      const before = body.markdown ?? '';
      const [at, last] = [before.indexOf(passage), before.lastIndexOf(passage)];
      if (at < 0) return 'Nothing was changed: the page does not have this passage.';
      if (at !== last)
        return 'Nothing was changed: the page has this passage more than once. Give more of the text around it.';
      return change(
        call,
        target,
        request,
        {
          operation: 'update_page',
          page: edited,
          document: { markdown: before.slice(0, at) + replacement + before.slice(at + passage.length) },
        },
        etag,
      );
    },
  }),
  defineTool({
    name: 'deletePage',
    title: 'Delete a page',
    description: 'Deletes a page and the pages below it in a change request.',
    input: { space, changeRequest, page },
    writes: true,
    run: (call, { space: target, changeRequest: request, page: deleted }) =>
      change(call, target, request, { operation: 'delete_page', page: deleted }),
  }),
  defineTool({
    name: 'updateFromPrimary',
    title: 'Update a change request',
    description: 'Brings what was merged since into a change request. Conflicts are listed and have to be resolved.',
    input: { space, changeRequest },
    writes: true,
    run: async (call, input) => {
      const { body } = await call<object>({
        method: 'POST',
        path: `${linePath(input.space, input.changeRequest)}/update`,
      });
      return JSON.stringify(body);
    },
  }),
  defineTool({
    name: 'addComment',
    title: 'Comment',
    description: 'Comments on a change request or a space, or on a page there; replies with `comment`.',
    input: {
      space,
      changeRequest: changeRequest.optional().describe('Id or number of the change request; the space when omitted'),
      page: page.optional(),
      comment: id('Id of a comment to reply to').optional(),
      text,
    },
    writes: true,
    run: async (call, { space: target, changeRequest: request, page: about, comment, text: markdownText }) => {
      const comments = `${linePath(target, request)}/comments`;
      const { body } = await call<{ id: string }>({
        method: 'POST',
        path: comment === undefined ? comments : `${comments}/${part(comment)}/replies`,
        body: {
          body: { markdown: markdownText },
          ...(comment === undefined && about !== undefined && { page: about }),
        },
      });
      return JSON.stringify({ id: body.id });
    },
  }),
  defineTool({
    name: 'requestReview',
    title: 'Ask for a review',
    description: 'Opens a draft for review, and asks the named members to review it.',
    input: {
      space,
      changeRequest,
      users: z.array(id('Id of a member')).max(50).default([]).describe('Members to ask'),
    },
    writes: true,
    run: async (call, { space: target, changeRequest: request, users }) => {
      const line = linePath(target, request);
      const { body } = await call<{ status: string }>({ method: 'GET', path: line });
      if (body.status === 'draft') await call({ method: 'PATCH', path: line, body: { status: 'open' } });
      if (users.length > 0) await call({ method: 'POST', path: `${line}/requested-reviewers`, body: { users } });
      return JSON.stringify((await call<object>({ method: 'GET', path: line })).body);
    },
  }),
  defineTool({
    name: 'submitReview',
    title: 'Review a change request',
    description:
      'Reviews a change request as an agent: it counts for the rule `require_agent_review` and for no review by people. Needs a token with the scope change-request:review.',
    input: { space, changeRequest, status: z.enum(['approved', 'changes-requested']), comment: text.optional() },
    writes: true,
    run: async (call, { space: target, changeRequest: request, status, comment }) => {
      const { body } = await call<object>({
        method: 'POST',
        path: `${linePath(target, request)}/reviews`,
        body: { status, ...(comment !== undefined && { comment: { markdown: comment } }) },
      });
      return JSON.stringify(body);
    },
  }),
];

/** Makes one change in a change request and returns what was done. */
async function change(call: CallApi, target: string, request: string, made: object, ifMatch?: string): Promise<string> {
  const { body } = await call<{ changes: unknown }>({
    method: 'POST',
    path: `${linePath(target, request)}/content`,
    query: { compat: false },
    body: { changes: [made] },
    ifMatch,
  });
  return JSON.stringify(body.changes);
}
