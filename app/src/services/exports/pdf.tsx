import { Alert, Group, Loader, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from '../../api/client.js';
import { exportTexts as words } from '../../texts/exports.js';
import { texts } from '../../texts/en.js';
import { AddressButton, Button, SecondaryButton } from '../../ui/buttons.js';
import { Note, Section } from '../../ui/screens.js';
import { faultText } from '../../ui/toasts.js';
import { usePlace, type Place } from '../../writing/place.js';
import { pagesQuery } from '../../writing/queries.js';
import { treeData } from '../../writing/tree/tree-data.js';
import { pdfQuery, type PdfPages } from './queries.js';

const KINDS = ['all', 'branch', 'one'] as const;

/** A PDF of a place or a part of it: it is asked for, followed, and downloaded. */
export function Pdf() {
  const place = usePlace();
  const [kind, setKind] = useState<(typeof KINDS)[number]>('all');
  const [page, setPage] = useState<string | null>(null);
  const [wanted, setWanted] = useState<PdfPages>();
  const { data: tree } = useQuery(pagesQuery(place));
  const pages = [...treeData(tree ?? []).items.values()].filter(({ type }) => type === 'document' || type === 'group');
  const asked: PdfPages | undefined =
    kind === 'all' ? {} : page === null ? undefined : { page, ...(kind === 'one' && { only: true }) };
  const make = (): void => {
    if (!asked) return;
    // The PDF that is shown may be of older content.
    void queries.resetQueries({ queryKey: pdfQuery(place, asked).queryKey, exact: true });
    setWanted(asked);
  };
  return (
    <Section title={words.pdf}>
      <Note>{words.pdfText}</Note>
      <Group align="flex-end">
        <Select
          label={words.pdfOf}
          data={KINDS.map((value) => ({ value, label: words.pages[value] }))}
          value={kind}
          onChange={(chosen) => setKind(KINDS.find((each) => each === chosen) ?? 'all')}
        />
        {kind !== 'all' && (
          <Select
            label={words.page}
            placeholder={words.choosePage}
            data={pages.map(({ id, title }) => ({ value: id, label: title }))}
            value={page}
            onChange={setPage}
            limit={100}
            searchable
          />
        )}
        <Button label={words.make} disabled={!asked} onClick={make} />
      </Group>
      {wanted && <MadePdf key={JSON.stringify(wanted)} place={place} pages={wanted} />}
    </Section>
  );
}

function MadePdf({ place, pages }: Readonly<{ place: Place; pages: PdfPages }>) {
  const { data, error, refetch, isFetching } = useQuery(pdfQuery(place, pages));
  if (error)
    return (
      <Alert color="red" title={words.failed} role="alert">
        <Stack gap="xs" align="flex-start">
          <span className="plain-text">{faultText(error)}</span>
          <SecondaryButton
            label={texts.faults.tryAgain}
            size="xs"
            loading={isFetching}
            onClick={() => void refetch()}
          />
        </Stack>
      </Alert>
    );
  return (
    <Group gap="xs" role="status">
      {data?.status === 'completed' ? (
        <>
          <AddressButton label={words.download} href={data.url} target="_blank" rel="noopener" />
          <Note>{words.downloadText}</Note>
        </>
      ) : (
        <>
          <Loader size="xs" aria-hidden />
          <Note>{words.making}</Note>
        </>
      )}
    </Group>
  );
}
