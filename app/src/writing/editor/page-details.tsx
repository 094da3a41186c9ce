import { Box, Collapse, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useBlocker } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import IconDown from '~icons/fa7-solid/chevron-down';
import IconRight from '~icons/fa7-solid/chevron-right';
import { useMutation } from '../../api/mutations.js';
import { editingTexts } from '../../texts/editing.js';
import { writingTexts } from '../../texts/writing.js';
import { Button, SecondaryButton } from '../../ui/buttons.js';
import { changeOf, type Fields, fieldsOf, isComplete, PageFields } from '../page-fields.js';
import { type Page, useWrite } from '../queries.js';

const words = editingTexts.details;

/** The fields that are changed and not saved yet, with all of them as they were before. */
export interface ChangedDetails {
  readonly before: Fields;
  readonly changed: Partial<Fields>;
}

export interface DetailsState {
  readonly details: ChangedDetails | undefined;
  readonly setDetails: (details: ChangedDetails | undefined) => void;
}

/** The details of a page that are written, for as long as its editors are open. */
export function useDetails(): DetailsState {
  const [details, setDetails] = useState<ChangedDetails>();
  useBlocker({
    enableBeforeUnload: () => details !== undefined,
    shouldBlockFn: () => details !== undefined && !window.confirm(words.leave),
  });
  return { details, setDetails };
}

/** Everything of a page besides its title and text, above the text: what Markdown has as frontmatter. */
export function PageDetails({ page, details, setDetails }: Readonly<{ page: Page }> & DetailsState) {
  const [isOpen, { toggle }] = useDisclosure(details !== undefined);
  const id = useId();
  const present = details?.before ?? fieldsOf(page);
  const fields = { ...present, ...details?.changed };
  const write = useWrite();
  const latest = useRef(details);
  latest.current = details;
  const save = useMutation({
    mutationFn: async () => {
      await write(changeOf(page, present, fields), writingTexts.settings.saved);
      const { current } = latest;
      // A change that was made during the save is not saved yet.
      setDetails(current && current !== details ? { before: fields, changed: current.changed } : undefined);
    },
  });
  return (
    <Box className="page-details" mb="md">
      <Group gap="xs" wrap="nowrap">
        <SecondaryButton
          label={words.title}
          size="compact-sm"
          flex="none"
          leftSection={isOpen ? <IconDown width={10} /> : <IconRight width={10} />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
        />
        <Text size="sm" c="dimmed" truncate>
          {details ? words.unsaved : fields.description}
        </Text>
      </Group>
      <Collapse expanded={isOpen} id={id}>
        <form
          aria-label={words.title}
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate();
          }}
        >
          <Stack gap="sm" py="sm">
            <PageFields
              page={page}
              hasTitle={false}
              fields={fields}
              set={(next) => setDetails({ before: present, changed: { ...details?.changed, ...next } })}
            />
            <Group>
              <Button
                label={words.save}
                type="submit"
                size="xs"
                loading={save.isPending}
                disabled={!details || !isComplete(fields)}
              />
              {details && <SecondaryButton label={words.discard} size="xs" onClick={() => setDetails(undefined)} />}
            </Group>
          </Stack>
        </form>
      </Collapse>
    </Box>
  );
}
