import { organization, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const agentInstructions = defineModule({
  name: 'agentInstructions',
  migrations: migrationsOf('agentInstructions'),
  events: {
    agent_instructions_updated: organization('organization', 'The instructions for agents were replaced', {
      audit: UNAUDITED.content,
    }),
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    agentInstructions: typeof agentInstructions;
  }
}
