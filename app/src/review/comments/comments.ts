import { queryOptions } from '@tanstack/react-query';
import { get, send, type Schemas, readAll, requestKey, queries } from '../../api/client.js';
import { useMutation } from '../../api/mutations.js';
import { pathAt, usePlace, type Place } from '../../writing/place.js';

export type Comment = Schemas['CommentBody'];
export type Reply = Schemas['CommentReplyBody'];

const COMMENTS = '/v1/spaces/{spaceId}/comments';
const COMMENT = `${COMMENTS}/{commentId}` as const;
const REPLIES = `${COMMENT}/replies` as const;

const holderKey = ({ spaceId, changeRequestId }: Place): readonly string[] =>
  changeRequestId === undefined ? ['space', spaceId] : requestKey({ spaceId, changeRequestId });

const commentsKey = (place: Place): readonly string[] => [...holderKey(place), 'comments'];

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

/** A comment, or a reply to it. */
export type EntryAddress = Readonly<{ commentId: string; commentReplyId?: string }>;

type CommentChange = Readonly<
  | { post: Schemas['PostComment'] }
  | { reply: string; to: string }
  | { update: Schemas['UpdateComment']; of: EntryAddress }
  | { remove: EntryAddress }
>;

/** Changes comments, and reads them anew; for forms that tell of its faults themselves. */
export function useCommentWork(): (change: CommentChange) => Promise<void> {
  const place = usePlace();
  return async (change) => {
    await sent(place, change);
    await Promise.all([
      queries.invalidateQueries({ queryKey: commentsKey(place) }),
      queries.invalidateQueries({ queryKey: holderKey(place), exact: true }),
      queries.invalidateQueries({ queryKey: ['change-requests'] }),
    ]);
  };
}

/** The same as a mutation, which tells of faults too. */
export function useCommentChange() {
  return useMutation({ mutationFn: useCommentWork() });
}

function sent(place: Place, change: CommentChange): Promise<unknown> {
  if ('post' in change) return send('post', pathAt(place, COMMENTS), place, change.post);
  if ('reply' in change) {
    const body = { body: { markdown: change.reply } };
    return send('post', pathAt(place, REPLIES), { ...place, commentId: change.to }, body);
  }
  const entry = 'remove' in change ? change.remove : change.of;
  // Replies are changed as comments are.
  const ofEntry = entry.commentReplyId === undefined ? COMMENT : (`${REPLIES}/{commentReplyId}` as typeof COMMENT);
  const path = pathAt(place, ofEntry);
  if ('remove' in change) return send('delete', path, { ...place, ...entry });
  return send('put', path, { ...place, ...entry }, change.update);
}
