import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { redirectsOfYaml, type ListedRedirect } from './domain/redirects.js';

/** The redirects in a `.gitbook.yaml`, or the reason why there are none. */
export function listedRedirects(
  yaml: string,
): { readonly redirects: readonly ListedRedirect[] } | { readonly fault: string } {
  try {
    return { redirects: redirectsOfYaml(yaml) };
  } catch (error) {
    return { fault: error instanceof Error ? (error.message.split('\n')[0] ?? '').replace(/:$/, '') : '' };
  }
}

export const LISTED_REDIRECTS = workerTask(import.meta.url, listedRedirects, { size: (yaml) => yaml.length });
