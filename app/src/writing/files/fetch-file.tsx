import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { showDone } from '../../ui/toasts.js';
import type { Place } from '../place.js';
import { renewContent } from '../queries.js';
import { write } from '../write.js';

const words = texts.writing.files;

/** Lets the server fetch a file from an address, which is the way for files that are too large to be uploaded. */
export function FetchFile({ place }: { readonly place: Place }): ReactNode {
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const [url, setUrl] = useState('');
  const name = decodeURIComponent(/\/([^/?#]+)(?:[?#]|$)/.exec(url.replace(/^https?:\/\/[^/]*/, ''))?.[1] ?? 'file');
  const fetchFile = useMutation({
    mutationFn: () => write(place, [{ operation: 'insert_files', files: [{ name, url }] }]),
    onSuccess: async () => {
      await renewContent(queries, place);
      showDone(words.uploaded(1));
      close();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    fetchFile.mutate();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {words.byAddress}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.byAddress}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{words.byAddressText}</Text>
            <TextInput
              data-autofocus
              required
              type="url"
              label={words.address}
              value={url}
              onChange={(event) => setUrl(event.currentTarget.value)}
            />
            <Button type="submit" loading={fetchFile.isPending}>
              {words.fetch}
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
