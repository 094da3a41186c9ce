import { useExtensionTabs } from '../extensions/extension-tabs.js';
import { useOrganization } from '../people/queries.js';
import { settingsTexts } from '../texts/settings.js';
import { EmptyScreen, ScreenFrame, ScreenTabs } from '../ui/screens.js';
import { Fonts } from './fonts/fonts.js';
import { OrganizationRules } from './merge-rules/organization-rules.js';
import { Retention } from './retention/retention.js';
import { SingleSignOn } from './single-sign-on/single-sign-on.js';

/** The settings of an organization, for its administrators. */
export function SettingsScreen() {
  const { id, permissions } = useOrganization();
  const extensions = useExtensionTabs({ organizationId: id });
  if (!permissions.admin) return <EmptyScreen order={1} title={settingsTexts.title} text={settingsTexts.hidden} />;
  return (
    <ScreenFrame title={settingsTexts.title}>
      <ScreenTabs
        labels={{ ...settingsTexts.tabs, ...extensions.labels }}
        contents={{
          sso: <SingleSignOn />,
          rules: <OrganizationRules />,
          fonts: <Fonts />,
          retention: <Retention />,
          ...extensions.contents,
        }}
      />
    </ScreenFrame>
  );
}
