import { Divider, NavLink, Tooltip } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import IconEdit from '~icons/fa7-solid/pen';
import { get, send, useSession, type ChangeRequest, queries } from '../api/client.js';
import { writingTexts } from '../texts/writing.js';
import { Button } from '../ui/buttons.js';
import { FormDialog, TextField, useText } from '../ui/forms.js';
import { Time } from '../ui/screens.js';
import { addressOf, spaceOf, useGoTo, useMayWrite, usePlace, useSpace } from './place.js';

const MOST_OFFERED = 20;
const REQUESTS = '/v1/spaces/{spaceId}/change-requests';
const words = writingTexts.choice;

/** Begins to write a page, or the first one: at the place itself where that is possible, else in a change request. */
export function EditButton({ page }: { readonly page?: string }) {
  const place = usePlace();
  const space = useSpace();
  const mayWrite = useMayWrite();
  const [isOpen, { open, close }] = useDisclosure();
  const goTo = useGoTo();
  const target = { page, edit: page !== undefined };
  const start = (): void => (mayWrite ? goTo(addressOf(place, target)) : open());
  const mayEdit = space.permissions.edit;
  useHotkeys([['e', () => mayEdit && start()]]);
  return (
    <>
      <Tooltip label={words.noRight} disabled={mayEdit}>
        <Button
          label={writingTexts.read.edit}
          size="xs"
          leftSection={<IconEdit />}
          aria-disabled={!mayEdit}
          data-disabled={!mayEdit || undefined}
          onClick={mayEdit ? start : undefined}
        />
      </Tooltip>
      <RequestChoice
        opened={isOpen}
        onChosen={(changeRequestId) => goTo(addressOf({ ...spaceOf(place), changeRequestId }, target))}
        onClose={close}
      />
    </>
  );
}

/** The own change requests of the space that are not closed yet. */
export function useOwnRequests(enabled = true): readonly ChangeRequest[] {
  const { spaceId } = usePlace();
  const { user } = useSession();
  const { data = [] } = useQuery({
    enabled,
    queryKey: ['change-requests', 'own', spaceId, user.id],
    queryFn: async () => {
      const query = { creator: user.id, limit: MOST_OFFERED };
      const lists = (['draft', 'open'] as const).map((status) => get(REQUESTS, { spaceId }, { ...query, status }));
      return (await Promise.all(lists)).flatMap(({ items }) => items);
    },
  });
  return data;
}

/** Makes a change request and returns its number. */
export async function startRequest(spaceId: string, subject: string): Promise<string> {
  const { number } = await send('post', REQUESTS, { spaceId }, subject === '' ? {} : { subject });
  return String(number);
}

type RequestChoiceProps = Readonly<{
  opened: boolean;
  onChosen: (changeRequestId: string) => void;
  onClose: () => void;
}>;

function RequestChoice({ opened, onChosen, onClose }: RequestChoiceProps) {
  const { spaceId } = usePlace();
  const requests = useOwnRequests(opened);
  const subject = useText();
  const start = async (): Promise<void> => {
    const id = await startRequest(spaceId, subject.value.trim());
    await queries.invalidateQueries({ queryKey: ['change-requests'] });
    onChosen(id);
  };
  const cancel = (): void => {
    subject.onText('');
    onClose();
  };
  return (
    <FormDialog
      {...{ opened }}
      onClose={cancel}
      title={words.title}
      text={words.text}
      action={words.start}
      onSubmit={start}
    >
      <TextField {...subject} data-autofocus maxLength={250} label={words.subject} placeholder={words.subjectHint} />
      {requests.length > 0 && <Divider label={words.or} />}
      {requests.map(({ id, number, subject: named, updatedAt }) => (
        <NavLink
          key={id}
          component="button"
          type="button"
          onClick={() => onChosen(String(number))}
          label={`#${number} ${named}`}
          description={<Time at={updatedAt} />}
        />
      ))}
    </FormDialog>
  );
}
