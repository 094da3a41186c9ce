import git, { type HttpClient } from 'isomorphic-git';
import { explainGitError, fetchCommit, newRepository, PACK_LIMITS } from './repository.js';
import { transportUrl } from './ssh-address.js';

/** The last commit of a branch of a remote repository, by one request; undefined where there is no such branch. */
export async function remoteHead(url: string, ref: string, http: HttpClient): Promise<string | undefined> {
  return (await remoteHeads(url, http, ref)).get(ref);
}

/** The commits of all refs of a remote repository, by one request; `ref` is the one that messages name. */
export async function remoteHeads(url: string, http: HttpClient, ref?: string): Promise<ReadonlyMap<string, string>> {
  try {
    // Not `listServerRefs`, which asks again, in version 2, a server that has answered that there is no ref at all.
    const { refs = [] } = await git.getRemoteInfo2({ http, url: transportUrl(url), protocolVersion: 1 });
    return new Map(refs.map((each) => [each.ref, each.oid]));
  } catch (error) {
    throw explainGitError(error, ref);
  }
}

/** The last commit of a branch of a remote repository, and the commits before it. Throws `invalid` where there is none. */
export async function remoteCommit(
  url: string,
  ref: string,
  http: HttpClient,
): Promise<{ readonly oid: string; readonly parents: readonly string[] }> {
  const { oid, parents } = await fetchCommit(newRepository(PACK_LIMITS), { url, ref }, http);
  return { oid, parents };
}
