import { Modal, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { send, type Schemas } from '../api/client.js';
import { siteTexts } from '../texts/sites.js';
import { SecondaryButton } from '../ui/buttons.js';
import { changing, FormDialog, TextAreaField, useFieldFaults, useText } from '../ui/forms.js';
import { Note } from '../ui/screens.js';
import { DataTable } from '../ui/tables.js';
import { SITE, siteKey, type PlacedSpace, type SitePlace } from './queries.js';

const words = siteTexts.redirects.imports;
type Report = Schemas['RedirectsImportBody'];
type ImportProps = Readonly<{ place: SitePlace; spaces: readonly PlacedSpace[] }>;

/** Takes over a list of redirects, and tells what became of each. */
export function RedirectImport({ place, spaces }: ImportProps) {
  const [isOpen, setOpen] = useState(false);
  const [report, setReport] = useState<Report>();
  const yaml = useText();
  const [siteSpace, setSiteSpace] = useState<string | null>(null);
  const { at, noting } = useFieldFaults();
  const take = async (): Promise<void> => {
    const body = { yaml: yaml.value, ...(siteSpace !== null && { siteSpace }) };
    setReport(await send('post', `${SITE}/redirects/import`, place, body));
    yaml.onText('');
  };
  return (
    <>
      <SecondaryButton label={words.title} onClick={() => setOpen(true)} />
      <FormDialog
        opened={isOpen}
        title={words.title}
        text={words.text}
        size="lg"
        action={words.title}
        disabled={yaml.value.trim() === ''}
        onSubmit={noting(changing(take, { refresh: [...siteKey(place), 'redirects'] }))}
        onClose={() => setOpen(false)}
      >
        <TextAreaField
          {...yaml}
          isSource
          label={words.list}
          placeholder={'redirects:\n  old/page: new/page.md'}
          minRows={6}
          maxRows={18}
          maxLength={1_048_576}
          spellCheck={false}
          error={at('yaml')}
        />
        {spaces.length > 1 && (
          <Select
            label={words.space}
            clearable
            searchable
            placeholder={words.first}
            data={spaces.map(({ id, siteSpace: { title } }) => ({ value: id, label: title }))}
            value={siteSpace}
            error={at('siteSpace')}
            onChange={setSiteSpace}
          />
        )}
      </FormDialog>
      <Modal opened={report !== undefined} onClose={() => setReport(undefined)} title={words.report} size="xl">
        {report && (
          <Stack>
            <Note role="status">{words.counts(report)}</Note>
            <DataTable
              items={report.entries.map((entry, index) => ({ ...entry, id: String(index) }))}
              columns={[
                { heading: siteTexts.redirects.source, cell: ({ from }) => <bdi>{from}</bdi> },
                { heading: words.status, cell: ({ status }) => words.statuses[status] },
                {
                  heading: words.reason,
                  cell: ({ message, line }) => [line && words.line(line), message].filter(Boolean).join(': '),
                },
              ]}
            />
          </Stack>
        )}
      </Modal>
    </>
  );
}
