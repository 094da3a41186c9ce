import git, { type HttpClient } from 'isomorphic-git';
import { GITDIR, listCommit } from './commit-listing.js';
import { explainGitError, fetchCommit, newRepository, PACK_LIMITS } from './repository.js';

/**
 * The paths of the plain files by which the last commit of a ref differs from the commit `since`, in the order of their names. Fetches
 * both, and of the second one what the first one lacks. Throws `invalid` and `tooLarge` as a checkout does.
 */
export async function changedPaths(
  { url, ref, since }: { readonly url: string; readonly ref: string; readonly since: string },
  http: HttpClient,
): Promise<string[]> {
  const fs = newRepository(PACK_LIMITS);
  const cache = {};
  await fetchCommit(fs, { url, ref: since }, http);
  // The server is told that this commit is there.
  await git.writeRef({ fs, gitdir: GITDIR, ref, value: since, force: true });
  const { oid } = await fetchCommit(fs, { url, ref }, http);
  try {
    const [before, after] = [await listCommit(fs, since, cache), await listCommit(fs, oid, cache)];
    const paths = new Set([...before.objects.keys(), ...after.objects.keys()]);
    return [...paths].filter((path) => before.objects.get(path)?.oid !== after.objects.get(path)?.oid).sort();
  } catch (error) {
    throw explainGitError(error, ref);
  }
}
