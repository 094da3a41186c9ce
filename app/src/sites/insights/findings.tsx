import { Badge, Modal, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { get, send, useList, type Schemas } from '../../api/client.js';
import { useOrganization } from '../../people/queries.js';
import { findingTexts as words } from '../../texts/findings.js';
import { ActionMenu, MenuItem, TextLink, useFollow } from '../../ui/buttons.js';
import { changing, FormDialog, useChange } from '../../ui/forms.js';
import { EmptyScreen, LoadedList, Note, Section, Time } from '../../ui/screens.js';
import { ListTable, RowName } from '../../ui/tables.js';
import { SITE, siteKey, type SitePlace } from '../queries.js';

type Finding = Schemas['SiteFindingBody'];
type Question = Schemas['SiteQuestionBody'];
type Status = Finding['status'];
type FindingsProps = Readonly<{ place: SitePlace }>;

const FINDINGS = `${SITE}/findings` as const;
const FINDING = `${FINDINGS}/{siteFindingId}` as const;
const STATUSES = ['open', 'done', 'canceled'] as const satisfies readonly Status[];
const STATUS_COLORS = { open: 'gray', done: 'green', canceled: 'gray' } as const;
const SEVERITY_COLORS = { low: 'gray', medium: 'yellow', high: 'red' } as const;
const ALL = 'all';

const findingsKey = (place: SitePlace) => [...siteKey(place), 'findings'] as const;

/** The questions of readers that the site did not answer, by topic, and what is done about them. */
export function Findings({ place }: FindingsProps) {
  const { organizationId } = place;
  const [status, setStatus] = useState<Status | typeof ALL>('open');
  const query = status === ALL ? {} : { status };
  const findings = useList<Finding>([...findingsKey(place), 'list', status], (page) =>
    get(FINDINGS, place, { ...query, page }),
  );
  const states = [ALL, ...STATUSES] as const;
  return (
    <Section title={words.title}>
      <Note>{words.text}</Note>
      <Select
        label={words.status}
        maw={220}
        allowDeselect={false}
        data={states.map((each) => ({ value: each, label: each === ALL ? words.all : words.statuses[each] }))}
        value={status}
        onChange={(chosen) => setStatus(states.find((each) => each === chosen) ?? ALL)}
      />
      <ListTable
        query={findings}
        empty={
          status === 'open' || status === ALL ? (
            <EmptyScreen title={words.none} text={words.noneText} />
          ) : (
            <Note>{words.ofStatus}</Note>
          )
        }
        columns={[
          {
            heading: words.topic,
            cell: ({ title, topic, changeRequests }) => (
              <RowName below={changeRequests > 0 && words.requests(changeRequests)}>
                <TextLink
                  label={<bdi>{title}</bdi>}
                  to="/o/$organizationId/conversations/clusters/$clusterId"
                  params={{ organizationId, clusterId: topic }}
                />
              </RowName>
            ),
          },
          { heading: words.questions, cell: ({ questions }) => questions },
          {
            heading: words.severity,
            cell: ({ severity }) => <Badge color={SEVERITY_COLORS[severity]}>{words.severities[severity]}</Badge>,
          },
          {
            heading: words.status,
            cell: ({ status: each }) => <Badge color={STATUS_COLORS[each]}>{words.statuses[each]}</Badge>,
          },
          {
            heading: words.actions(words.topic),
            isButtons: true,
            cell: (finding) => <Actions finding={finding} place={place} />,
          },
        ]}
      />
    </Section>
  );
}

type FindingProps = FindingsProps & Readonly<{ finding: Finding }>;

function Actions({ finding, place }: FindingProps) {
  const { id, title, status } = finding;
  const { permissions } = useOrganization();
  const [asked, setAsked] = useState<'questions' | 'draft'>();
  const follow = useFollow();
  const address = { ...place, siteFindingId: id };
  const settle = useChange((next: Status) => send('patch', FINDING, address, { status: next }), {
    refresh: findingsKey(place),
    done: (settled) => words.changed[settled.status](title),
  });
  const draft = async (): Promise<void> => {
    follow((await send('post', `${FINDING}/change-requests`, address)).urls.app);
  };
  const end = (): void => setAsked(undefined);
  return (
    <>
      <ActionMenu label={words.actions(title)}>
        <MenuItem label={words.show} onClick={() => setAsked('questions')} />
        <MenuItem label={words.draft} onClick={() => setAsked('draft')} />
        {permissions.reviewConversations &&
          STATUSES.filter((next) => next !== status).map((next) => (
            <MenuItem
              key={next}
              label={words.change[next]}
              disabled={settle.isPending}
              onClick={() => settle.mutate(next)}
            />
          ))}
      </ActionMenu>
      {asked === 'draft' && (
        <FormDialog
          title={words.draft}
          text={words.draftText}
          action={words.draft}
          onSubmit={changing(draft, { refresh: findingsKey(place) })}
          onClose={end}
        />
      )}
      {asked === 'questions' && (
        <Modal opened onClose={end} title={words.questionsOf(title)} size="lg">
          <Questions finding={finding} place={place} />
        </Modal>
      )}
    </>
  );
}

/** The words of readers, each as it was asked last. */
function Questions({ finding: { id }, place }: FindingProps) {
  const questions = useList<Question>([...findingsKey(place), id, 'questions'], (page) =>
    get(`${FINDING}/questions`, { ...place, siteFindingId: id }, { page }),
  );
  return (
    <LoadedList query={questions} empty={<Note>{words.none}</Note>}>
      {(items) => (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map(({ id: question, question: text, askedAt, stats }) => (
            <li key={question}>
              <RowName below={<AskedAt times={stats.answers} at={askedAt} />}>
                <bdi className="plain-text">{text}</bdi>
              </RowName>
            </li>
          ))}
        </Stack>
      )}
    </LoadedList>
  );
}

function AskedAt({ times, at }: Readonly<{ times: number; at: string }>) {
  return (
    <>
      {words.asked(times)} · <Time at={at} />
    </>
  );
}
