import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { answered, api, type Schemas } from '../../api/client.js';
import { readAll } from '../../api/pages.js';

export type Comment = Schemas['CommentBody'];
export type Reply = Schemas['CommentReplyBody'];

/** Where people discuss: the content of a space, or one of its change requests. */
export interface CommentPlace {
  readonly spaceId: string;
  readonly changeRequestId?: string;
}

/** The path of an operation of comments; they have the same form in spaces and in change requests. */
function at<Path extends string>({ changeRequestId }: CommentPlace, path: Path): Path {
  const space = '/v1/spaces/{spaceId}';
  if (changeRequestId === undefined) return path;
  return `${space}/change-requests/${encodeURIComponent(changeRequestId)}${path.slice(space.length)}` as Path;
}

const commentsKey = ({ spaceId, changeRequestId }: CommentPlace): readonly string[] =>
  changeRequestId === undefined
    ? ['space-comments', spaceId]
    : ['change-request', spaceId, changeRequestId, 'comments'];

/** All comments, those that were posted first before the others. */
export const commentsQuery = (place: CommentPlace) =>
  queryOptions({
    queryKey: [...commentsKey(place), 'list'],
    queryFn: () =>
      readAll((page) =>
        answered(
          api.GET(at(place, '/v1/spaces/{spaceId}/comments'), {
            params: {
              path: { spaceId: place.spaceId },
              query: { page, limit: 1000, order: 'asc', format: 'markdown' },
            },
          }),
        ),
      ),
  });

/** The replies to a comment, from the beginning of the conversation. */
export const repliesQuery = (place: CommentPlace, commentId: string) =>
  queryOptions({
    queryKey: [...commentsKey(place), 'replies', commentId],
    queryFn: async () => {
      const newestFirst = await readAll((page) =>
        answered(
          api.GET(at(place, '/v1/spaces/{spaceId}/comments/{commentId}/replies'), {
            params: { path: { spaceId: place.spaceId, commentId }, query: { page, limit: 1000, format: 'markdown' } },
          }),
        ),
      );
      return newestFirst.reverse();
    },
  });

async function renewComments(queries: QueryClient, place: CommentPlace): Promise<void> {
  const { spaceId, changeRequestId } = place;
  const holder = changeRequestId === undefined ? ['space', spaceId] : ['change-request', spaceId, changeRequestId];
  await Promise.all([
    queries.invalidateQueries({ queryKey: commentsKey(place) }),
    queries.invalidateQueries({ queryKey: holder, exact: true }),
    queries.invalidateQueries({ queryKey: ['change-requests'] }),
  ]);
}

/** Runs a change of comments, and reads them anew. */
export function useCommentChange(place: CommentPlace) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSuccess: () => renewComments(queries, place),
  });
}

export function postComment(place: CommentPlace, body: Schemas['PostComment']): Promise<unknown> {
  return answered(
    api.POST(at(place, '/v1/spaces/{spaceId}/comments'), { params: { path: { spaceId: place.spaceId } }, body }),
  );
}

export function updateComment(
  place: CommentPlace,
  commentId: string,
  body: Schemas['UpdateComment'],
): Promise<unknown> {
  const path = { spaceId: place.spaceId, commentId };
  return answered(api.PUT(at(place, '/v1/spaces/{spaceId}/comments/{commentId}'), { params: { path }, body }));
}

export function deleteComment(place: CommentPlace, commentId: string): Promise<unknown> {
  const path = { spaceId: place.spaceId, commentId };
  return answered(api.DELETE(at(place, '/v1/spaces/{spaceId}/comments/{commentId}'), { params: { path } }));
}

export function postReply(place: CommentPlace, commentId: string, markdown: string): Promise<unknown> {
  return answered(
    api.POST(at(place, '/v1/spaces/{spaceId}/comments/{commentId}/replies'), {
      params: { path: { spaceId: place.spaceId, commentId } },
      body: { body: { markdown } },
    }),
  );
}

export function updateReply(
  place: CommentPlace,
  commentId: string,
  commentReplyId: string,
  body: Schemas['UpdateReply'],
): Promise<unknown> {
  const path = { spaceId: place.spaceId, commentId, commentReplyId };
  return answered(
    api.PUT(at(place, '/v1/spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}'), {
      params: { path },
      body,
    }),
  );
}

export function deleteReply(place: CommentPlace, commentId: string, commentReplyId: string): Promise<unknown> {
  const path = { spaceId: place.spaceId, commentId, commentReplyId };
  return answered(
    api.DELETE(at(place, '/v1/spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}'), { params: { path } }),
  );
}
