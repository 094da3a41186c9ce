import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { get, send, type Schemas } from '../../api/client.js';
import { readAll } from '../../api/pages.js';
import { pathAt, usePlace, type Place } from '../../writing/place.js';

export type Comment = Schemas['CommentBody'];
export type Reply = Schemas['CommentReplyBody'];

const COMMENTS = '/v1/spaces/{spaceId}/comments';
const REPLIES = '/v1/spaces/{spaceId}/comments/{commentId}/replies';

const commentsKey = ({ spaceId, changeRequestId }: Place): readonly string[] =>
  changeRequestId === undefined
    ? ['space-comments', spaceId]
    : ['change-request', spaceId, changeRequestId, 'comments'];

/** All comments of a space or of one of its change requests, those that were posted first before the others. */
export const commentsQuery = (place: Place) =>
  queryOptions({
    queryKey: [...commentsKey(place), 'list'],
    queryFn: () =>
      readAll((page) => get(pathAt(place, COMMENTS), place, { page, limit: 1000, order: 'asc', format: 'markdown' })),
  });

/** The replies to a comment, from the beginning of the conversation. */
export const repliesQuery = (place: Place, commentId: string) =>
  queryOptions({
    queryKey: [...commentsKey(place), 'replies', commentId],
    queryFn: async () => {
      const path = { ...place, commentId };
      const newestFirst = await readAll((page) =>
        get(pathAt(place, REPLIES), path, { page, limit: 1000, format: 'markdown' }),
      );
      return newestFirst.reverse();
    },
  });

/** Runs a change of comments, and reads them anew. */
export function useCommentChange() {
  const queries = useQueryClient();
  const place = usePlace();
  const { spaceId, changeRequestId } = place;
  const holder = changeRequestId === undefined ? ['space', spaceId] : ['change-request', spaceId, changeRequestId];
  return useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: commentsKey(place) }),
        queries.invalidateQueries({ queryKey: holder, exact: true }),
        queries.invalidateQueries({ queryKey: ['change-requests'] }),
      ]),
  });
}

export function postComment(place: Place, body: Schemas['PostComment']): Promise<unknown> {
  return send('post', pathAt(place, COMMENTS), place, body);
}

export function postReply(place: Place, commentId: string, markdown: string): Promise<unknown> {
  return send('post', pathAt(place, REPLIES), { ...place, commentId }, { body: { markdown } });
}

/** A comment, or a reply to it. */
export interface EntryAddress {
  readonly commentId: string;
  readonly commentReplyId?: string;
}

export function updateEntry(place: Place, entry: EntryAddress, body: Schemas['UpdateComment']): Promise<unknown> {
  return send('put', entryPath(place, entry), { ...place, ...entry }, body);
}

export function deleteEntry(place: Place, entry: EntryAddress): Promise<unknown> {
  return send('delete', entryPath(place, entry), { ...place, ...entry });
}

/** Replies are changed as comments are. */
function entryPath(place: Place, { commentReplyId }: EntryAddress): `${typeof COMMENTS}/{commentId}` {
  const path = `${COMMENTS}/{commentId}` as const;
  return pathAt(place, commentReplyId === undefined ? path : (`${path}/replies/{commentReplyId}` as typeof path));
}
