import { useQuery } from '@tanstack/react-query';
import { getTagged, queries, send } from '../../api/client.js';
import { organizationsQuery, useOrganization } from '../../people/queries.js';
import { Loaded } from '../../ui/screens.js';
import { RulesForm } from './rules-form.js';
import { NO_RULES, UNCHANGED_WHILE_EDITED, type MergeRules } from './rules.js';

const ORGANIZATION = '/v1/orgs/{organizationId}';
const TYPES = ['none', 'rules'] as const;

/** Rules of an organization are those of a space that inherit from nothing. */
type OrganizationRulesBody = MergeRules & { readonly type: (typeof TYPES)[number] };

/** The merge rules of an organization, which its spaces inherit. */
export function OrganizationRules() {
  const { id: organizationId } = useOrganization();
  const key = ['merge-rules', organizationId];
  const found = useQuery({
    ...UNCHANGED_WHILE_EDITED,
    queryKey: key,
    queryFn: () => getTagged(ORGANIZATION, { organizationId }),
  });
  return (
    <Loaded query={found}>
      {({ body: { mergeRules = NO_RULES }, etag }) => (
        <RulesForm
          organizationId={organizationId}
          saved={mergeRules}
          types={TYPES}
          refresh={key}
          save={async (rules) => {
            const body = { mergeRules: rules as OrganizationRulesBody };
            await send('patch', ORGANIZATION, { organizationId }, body, { headers: { 'If-Match': etag } });
            await queries.invalidateQueries(organizationsQuery);
          }}
          test={(rules, { actor, facts = {} }) =>
            send(
              'post',
              `${ORGANIZATION}/merge-rules/test`,
              { organizationId },
              { mergeRules: rules as OrganizationRulesBody, facts, ...(actor !== undefined && { actor }) },
            )
          }
        />
      )}
    </Loaded>
  );
}
