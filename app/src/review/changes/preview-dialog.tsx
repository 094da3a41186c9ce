import { Box, Group, JsonInput, Modal, Select, Stack } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, REQUEST } from '../../api/client.js';
import { reviewTexts } from '../../texts/review.js';
import { AddressButton, SecondaryButton } from '../../ui/buttons.js';
import { Loaded, Note } from '../../ui/screens.js';
import { useRequest } from '../queries.js';

const words = reviewTexts.preview;
const TYPING_MS = 500;
/** Addresses of previews work for an hour. */
const FRESH_MS = 2_700_000;

/** Shows a whole site with the content of a change request, for a visitor of one's choice; `page` is shown first. */
export function PreviewButton({ page }: { readonly page?: string | undefined }) {
  const { path } = useRequest();
  const [isOpen, { open, close }] = useDisclosure();
  const [site, setSite] = useState<string>();
  const [typed, setTyped] = useState('');
  const [claims] = useDebouncedValue(isObject(typed) ? typed : undefined, TYPING_MS);
  const query = useQuery({
    queryKey: ['request-preview', path, page, site, claims],
    enabled: isOpen,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: () => get(`${REQUEST}/preview`, path, { site, claims, page }),
  });
  const sites = query.data?.sites ?? [];
  return (
    <>
      <SecondaryButton label={words.button} onClick={open} />
      <Modal opened={isOpen} onClose={close} title={words.title} size="90%">
        <Stack>
          <Group align="start" gap="md">
            {sites.length > 0 && (
              <Select
                label={words.site}
                value={site ?? sites[0]?.id ?? null}
                data={sites.map(({ id, title }) => ({ value: id, label: title }))}
                onChange={(next) => setSite(next ?? undefined)}
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
          <Loaded query={query}>
            {({ url }) => (
              <>
                <Group gap="md">
                  <AddressButton label={words.open} href={url} target="_blank" rel="noopener noreferrer" />
                  <Note>{words.frameHint}</Note>
                </Group>
                <Box
                  component="iframe"
                  w="100%"
                  h="70dvh"
                  bd="1px solid default-border"
                  src={url}
                  title={words.frame}
                />
              </>
            )}
          </Loaded>
        </Stack>
      </Modal>
    </>
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
