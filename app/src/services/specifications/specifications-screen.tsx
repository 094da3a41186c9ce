import { Badge } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { get, useList } from '../../api/client.js';
import { useOrganization } from '../../people/queries.js';
import { serviceTexts } from '../../texts/services.js';
import { Button, TextLink } from '../../ui/buttons.js';
import { FormDialog, TextField, useText } from '../../ui/forms.js';
import { EmptyScreen, ScreenFrame, Time } from '../../ui/screens.js';
import { ListTable, RowName } from '../../ui/tables.js';
import { usePolling } from '../polling.js';
import { giveSource, specificationsKey, type Specification } from './queries.js';
import { SourceFields, useSource } from './source-fields.js';

const words = serviceTexts.specifications;
const SLUG = /^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/;

/** The OpenAPI specifications of an organization, for its members: guests have the rights of no role in it. */
export function SpecificationsScreen() {
  const { permissions } = useOrganization();
  if (permissions.listMembers) return <Specifications />;
  return <EmptyScreen order={1} title={words.title} text={words.hidden} />;
}

function Specifications() {
  const { id: organizationId, permissions } = useOrganization();
  const [isNew, setNew] = useState(false);
  const key = [...specificationsKey(organizationId), 'list'];
  const specifications = useList<Specification>(key, (page) =>
    get('/v1/orgs/{organizationId}/openapi', { organizationId }, { page }),
  );
  const isAtWork = specifications.data?.pages.some(({ items }) =>
    items.some(({ processingState }) => processingState !== 'complete'),
  );
  usePolling(key, isAtWork ?? false);
  return (
    <ScreenFrame
      title={words.title}
      actions={permissions.createOpenAPISpec && <Button label={words.add} onClick={() => setNew(true)} />}
    >
      <ListTable
        query={specifications}
        empty={<EmptyScreen title={words.none} text={words.noneText} />}
        columns={[
          {
            heading: words.specification,
            cell: ({ slug, sourceURL }) => (
              <RowName below={<bdi className="plain-text">{sourceURL ?? words.givenAsText}</bdi>}>
                <TextLink
                  label={slug}
                  to="/o/$organizationId/openapi/$specSlug"
                  params={{ organizationId, specSlug: slug }}
                />
              </RowName>
            ),
          },
          { heading: serviceTexts.state, cell: (specification) => <StateBadge specification={specification} /> },
          { heading: words.visibility, cell: ({ visibility }) => words.visibilities[visibility] },
          { heading: words.read, cell: ({ lastProcessedAt: at }) => (at === undefined ? '–' : <Time at={at} />) },
        ]}
      />
      {isNew && <NewSpecification organizationId={organizationId} onClose={() => setNew(false)} />}
    </ScreenFrame>
  );
}

/** How the source of a specification was read. */
export function StateBadge({ specification }: Readonly<{ specification: Specification }>) {
  const { processingState, lastProcessErrorCode, lastProcessedWarningCount = 0 } = specification;
  if (processingState !== 'complete') return <Badge color="blue">{words.states[processingState]}</Badge>;
  if (lastProcessErrorCode !== undefined) return <Badge color="red">{words.failed}</Badge>;
  if (lastProcessedWarningCount > 0) return <Badge color="yellow">{words.warnings(lastProcessedWarningCount)}</Badge>;
  return <Badge color="green">{words.states.complete}</Badge>;
}

type NewSpecificationProps = Readonly<{ organizationId: string; onClose: () => void }>;

function NewSpecification({ organizationId, onClose }: NewSpecificationProps) {
  const navigate = useNavigate();
  const slug = useText();
  const { source, at, noting, fields } = useSource();
  const specSlug = slug.value.trim();
  const isSlug = SLUG.test(specSlug);
  const make = async (): Promise<void> => {
    if (!source) return;
    const place = { organizationId, specSlug };
    await giveSource(place, source);
    await navigate({ to: '/o/$organizationId/openapi/$specSlug', params: place });
  };
  return (
    <FormDialog
      title={words.add}
      action={words.addAction}
      size="lg"
      disabled={!isSlug || source === undefined}
      onSubmit={noting(make)}
      onClose={onClose}
    >
      <TextField
        {...slug}
        label={words.slug}
        description={words.slugHelp}
        error={(specSlug !== '' && !isSlug && words.slugFault) || at('specSlug')}
        maxLength={100}
        required
        data-autofocus
      />
      <SourceFields {...fields} />
    </FormDialog>
  );
}
