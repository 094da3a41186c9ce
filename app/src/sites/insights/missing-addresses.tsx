import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { findingTexts } from '../../texts/findings.js';
import { siteTexts } from '../../texts/sites.js';
import { ButtonLink } from '../../ui/buttons.js';
import { Time } from '../../ui/screens.js';
import { DataTable } from '../../ui/tables.js';
import { siteQuery, type SitePlace } from '../queries.js';
import { Counted } from './counted.js';
import { missingQuery, type MissingAddress, type Period } from './queries.js';

const words = findingTexts.missing;

type MissingAddressesProps = Readonly<{ place: SitePlace; period: Period }>;

/** The addresses at which readers found no page, with a way to lead them on. */
export function MissingAddresses({ place, period }: MissingAddressesProps) {
  const params = useParams({ from: '/signed-in/o/$organizationId/sites/$siteId' });
  const missing = useQuery(missingQuery(place, period));
  const { data: site } = useQuery(siteQuery(place));
  const columns = [
    { heading: words.address, cell: ({ id }: MissingAddress) => <bdi>{id}</bdi> },
    { heading: words.requests, cell: ({ requests = 0 }: MissingAddress) => requests },
    { heading: words.from, cell: ({ from }: MissingAddress) => <bdi>{from ?? '–'}</bdi> },
    { heading: words.last, cell: ({ at }: MissingAddress) => <Time at={at} /> },
    {
      heading: words.redirect,
      isButtons: true,
      cell: ({ id }: MissingAddress) => (
        <ButtonLink
          size="xs"
          label={words.redirect}
          aria-label={words.redirectOne(id)}
          to="/o/$organizationId/sites/$siteId"
          params={params}
          search={{ tab: 'redirects', source: id }}
        />
      ),
    },
  ];
  const shown = site?.permissions.admin === true ? columns : columns.slice(0, -1);
  return (
    <Counted
      title={words.title}
      text={words.text}
      kind="bars"
      names={siteTexts.insights.page}
      series={['requests']}
      query={missing}
      table={(rows) => <DataTable items={rows} columns={shown} />}
    />
  );
}
