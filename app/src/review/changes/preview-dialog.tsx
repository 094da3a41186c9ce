import { Alert, Button, Group, JsonInput, Modal, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answered, api } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { faultText } from '../../ui/toasts.js';
import type { RequestAddress } from '../queries.js';

const words = texts.review.preview;
const TYPING_MS = 500;
/** Addresses of previews work for an hour. */
const FRESH_MS = 2_700_000;

/** Shows a whole site with the content of a change request, for a visitor of one's choice. */
export function PreviewButton({
  path,
  page,
}: {
  readonly path: RequestAddress;
  /** The page to begin with. */
  readonly page?: string | undefined;
}): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {words.button}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.title} size="90%">
        <PreviewForm path={path} page={page} />
      </Modal>
    </>
  );
}

function PreviewForm({ path, page }: { readonly path: RequestAddress; readonly page: string | undefined }): ReactNode {
  const [site, setSite] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [claims] = useDebouncedValue(isObject(typed) ? typed : '', TYPING_MS);
  const { data, error, isPending } = useQuery({
    queryKey: ['request-preview', path, page ?? '', site, claims],
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: () =>
      answered(
        api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/preview', {
          params: {
            path,
            query: {
              ...(site !== null && { site }),
              ...(claims !== '' && { claims }),
              ...(page !== undefined && { page }),
            },
          },
        }),
      ),
  });
  return (
    <Stack>
      <Group align="start" gap="md">
        {data && data.sites.length > 0 && (
          <Select
            label={words.site}
            value={site ?? data.sites[0]?.id ?? null}
            allowDeselect={false}
            data={data.sites.map(({ id, title }) => ({ value: id, label: title }))}
            onChange={setSite}
          />
        )}
        <JsonInput
          flex={1}
          miw={220}
          label={words.claims}
          description={words.claimsHint}
          placeholder='{"plan": "pro"}'
          autosize
          value={typed}
          error={typed !== '' && !isObject(typed) && words.claimsFault}
          onChange={setTyped}
        />
      </Group>
      {error && <Alert color="red">{faultText(error)}</Alert>}
      {isPending && <Skeleton height={320} aria-label={texts.common.loading} />}
      {data && (
        <>
          <Group gap="md">
            <Button component="a" href={data.url} target="_blank" rel="noopener noreferrer">
              {words.open}
            </Button>
            <Text size="sm" c="dimmed">
              {words.frameHint}
            </Text>
          </Group>
          <iframe className="preview-frame" src={data.url} title={words.frame} />
        </>
      )}
    </Stack>
  );
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
