import { Registry } from '../../src/kernel/platform/manifest/registry.js';
import { MANIFESTS } from '../../src/manifests.js';

/** What the manifests of the source say, for those who look at it from outside of a server. */
export const REGISTRY = new Registry(MANIFESTS);
