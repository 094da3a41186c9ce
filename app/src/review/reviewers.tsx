import { ActionIcon, Badge, Card, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import IconXmark from '~icons/fa7-solid/xmark';
import { answered, api, type Schemas } from '../api/client.js';
import { texts } from '../texts/en.js';
import {
  renewRequest,
  reviewersQuery,
  reviewsQuery,
  type ChangeRequest,
  type RequestAddress,
  type Review,
} from './queries.js';

const words = texts.review.reviewers;
const TYPING_MS = 200;

interface Person {
  readonly user: Schemas['UserBody'];
  /** The last review; undefined for people who were asked and have not answered. */
  readonly review: Review | undefined;
  readonly isRequested: boolean;
}

/** The people who were asked for a review, and those who reviewed, each with the last answer. */
export function Reviewers({
  organizationId,
  path,
  request,
  space,
}: {
  readonly organizationId: string;
  readonly path: RequestAddress;
  readonly request: ChangeRequest;
  readonly space: Schemas['SpaceBody'];
}): ReactNode {
  const queries = useQueryClient();
  const { data: requested } = useQuery(reviewersQuery(path));
  const { data: reviews } = useQuery(reviewsQuery(path));
  const remove = useMutation({
    mutationFn: (userId: string) =>
      answered(
        api.DELETE('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers/{userId}', {
          params: { path: { ...path, userId } },
        }),
      ),
    onSuccess: () => renewRequest(queries, path),
  });
  const people = peopleOf(requested?.items ?? [], reviews?.items ?? []);
  const isClosed = request.status === 'merged' || request.status === 'archived';
  return (
    <Card withBorder component="section" aria-label={words.title}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {words.title}
        </Title>
        {people.length === 0 && (
          <Text size="sm" c="dimmed">
            {words.empty}
          </Text>
        )}
        {people.map(({ user, review, isRequested }) => (
          <Group key={user.id} justify="space-between" wrap="nowrap">
            <Text size="sm" truncate>
              {user.displayName}
            </Text>
            <Group gap={4} wrap="nowrap">
              <ReviewBadge review={review} />
              {isRequested && space.permissions.edit && !isClosed && (
                <ActionIcon aria-label={words.remove(user.displayName)} onClick={() => remove.mutate(user.id)}>
                  <IconXmark />
                </ActionIcon>
              )}
            </Group>
          </Group>
        ))}
        {space.permissions.edit && !isClosed && (
          <AskForReview organizationId={organizationId} path={path} author={request.createdBy.id} />
        )}
      </Stack>
    </Card>
  );
}

function peopleOf(requested: readonly Schemas['RequestedReviewerBody'][], reviews: readonly Review[]): Person[] {
  const people = new Map<string, Person>();
  for (const { user } of requested) people.set(user.id, { user, review: undefined, isRequested: true });
  // The newest review of a person comes first.
  for (const review of reviews) {
    const known = people.get(review.reviewer.id);
    if (known?.review) continue;
    people.set(review.reviewer.id, { user: review.reviewer, review, isRequested: known?.isRequested ?? false });
  }
  return [...people.values()];
}

/** The answer of a reviewer in a word and a colour. */
export function ReviewBadge({ review }: { readonly review: Review | undefined }): ReactNode {
  if (!review)
    return (
      <Badge variant="light" color="gray">
        {words.waiting}
      </Badge>
    );
  const color = review.outdated ? 'gray' : review.status === 'approved' ? 'green' : 'red';
  return (
    <Badge variant="light" color={color}>
      {review.outdated ? words.outdated[review.status] : words.answer[review.status]}
    </Badge>
  );
}

function AskForReview({
  organizationId,
  path,
  author,
}: {
  readonly organizationId: string;
  readonly path: RequestAddress;
  readonly author: string;
}): ReactNode {
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, TYPING_MS);
  const { data: members } = useQuery({
    queryKey: ['members', organizationId, search],
    queryFn: () =>
      answered(
        api.GET('/v1/orgs/{organizationId}/members', {
          params: { path: { organizationId }, query: { limit: 20, ...(search !== '' && { search }) } },
        }),
      ),
  });
  const ask = useMutation({
    mutationFn: (userId: string) =>
      answered(
        api.POST('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers', {
          params: { path },
          body: { users: [userId] },
        }),
      ),
    onSuccess: async () => {
      setTyped('');
      await renewRequest(queries, path);
    },
  });
  return (
    <Select
      label={words.ask}
      placeholder={words.askHint}
      searchable
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={words.nobody}
      data={(members?.items ?? [])
        .filter(({ user }) => user.id !== author)
        .map(({ user }) => ({ value: user.id, label: user.displayName }))}
      onChange={(userId) => userId !== null && ask.mutate(userId)}
    />
  );
}
