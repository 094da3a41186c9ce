import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getTagged, queries, send, spaceQuery } from '../../api/client.js';
import { settingsTexts } from '../../texts/settings.js';
import { EmptyScreen, Loaded, ScreenFrame } from '../../ui/screens.js';
import { RulesForm } from './rules-form.js';
import { INHERITED, UNCHANGED_WHILE_EDITED } from './rules.js';

const words = settingsTexts.rules;
const SPACE = '/v1/spaces/{spaceId}';
const TYPES = ['inherit', 'rules', 'none'] as const;

/** The merge rules of a space. */
export function SpaceRulesScreen() {
  const { organizationId, spaceId } = useParams({ from: '/signed-in/o/$organizationId/s/$spaceId/~/merge-rules' });
  const key = ['merge-rules', spaceId];
  const found = useQuery({
    ...UNCHANGED_WHILE_EDITED,
    queryKey: key,
    queryFn: () => getTagged(SPACE, { spaceId }),
  });
  return (
    <Loaded query={found}>
      {({ body: { title, mergeRules = INHERITED, permissions }, etag }) => {
        if (!permissions.admin) return <EmptyScreen order={1} title={words.title} text={words.hidden} />;
        return (
          <ScreenFrame title={words.ofSpace(title)}>
            <RulesForm
              key={spaceId}
              organizationId={organizationId}
              spaceId={spaceId}
              saved={mergeRules}
              types={TYPES}
              refresh={key}
              save={async (rules) => {
                await send('patch', SPACE, { spaceId }, { mergeRules: rules }, { headers: { 'If-Match': etag } });
                await queries.invalidateQueries(spaceQuery(spaceId));
              }}
              test={(rules, question) =>
                send('post', `${SPACE}/merge-rules/test`, { spaceId }, { mergeRules: rules, ...question })
              }
            />
          </ScreenFrame>
        );
      }}
    </Loaded>
  );
}
