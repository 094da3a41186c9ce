import { defineModule } from '../../kernel/platform/manifest/manifest.js';

export const agents = defineModule({ name: 'agents' });

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    agents: typeof agents;
  }
}
