import { queries, send } from '../../api/client.js';
import { organizationsQuery, useOrganization } from '../../people/queries.js';
import { RulesForm } from './rules-form.js';

/** The merge rules of an organization, which its spaces inherit. */
export function OrganizationRules() {
  const { id: organizationId, mergeRules = { type: 'none' } } = useOrganization();
  return (
    <RulesForm
      key={JSON.stringify(mergeRules)}
      organizationId={organizationId}
      saved={mergeRules}
      types={['none', 'rules']}
      save={async (rules) => {
        await send(
          'patch',
          '/v1/orgs/{organizationId}',
          { organizationId },
          { mergeRules: rules as typeof mergeRules },
        );
        await queries.invalidateQueries(organizationsQuery);
      }}
      test={(rules, { actor, facts = {} }) =>
        send(
          'post',
          '/v1/orgs/{organizationId}/merge-rules/test',
          { organizationId },
          { mergeRules: rules as typeof mergeRules, facts, ...(actor !== undefined && { actor }) },
        )
      }
    />
  );
}
