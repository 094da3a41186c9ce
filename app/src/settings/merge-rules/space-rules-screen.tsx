import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { queries, send, spaceQuery } from '../../api/client.js';
import { settingsTexts } from '../../texts/settings.js';
import { EmptyScreen, Loaded, ScreenFrame } from '../../ui/screens.js';
import type { MergeRules } from './rules.js';
import { RulesForm } from './rules-form.js';

const words = settingsTexts.rules;
const INHERITED: MergeRules = { type: 'inherit' };

/** The merge rules of a space. */
export function SpaceRulesScreen() {
  const { organizationId, spaceId } = useParams({ from: '/signed-in/o/$organizationId/s/$spaceId/~/merge-rules' });
  const space = useQuery(spaceQuery(spaceId));
  return (
    <Loaded query={space}>
      {({ title, mergeRules = INHERITED, permissions }) => {
        if (!permissions.admin) return <EmptyScreen order={1} title={words.title} text={words.hidden} />;
        return (
          <ScreenFrame title={words.ofSpace(title)}>
            <RulesForm
              key={JSON.stringify([spaceId, mergeRules])}
              organizationId={organizationId}
              spaceId={spaceId}
              saved={mergeRules}
              types={['inherit', 'rules', 'none']}
              save={async (rules) => {
                await send('patch', '/v1/spaces/{spaceId}', { spaceId }, { mergeRules: rules });
                await queries.invalidateQueries(spaceQuery(spaceId));
              }}
              test={(rules, question) =>
                send('post', '/v1/spaces/{spaceId}/merge-rules/test', { spaceId }, { mergeRules: rules, ...question })
              }
            />
          </ScreenFrame>
        );
      }}
    </Loaded>
  );
}
