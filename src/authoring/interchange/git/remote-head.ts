import git, { type HttpClient } from 'isomorphic-git';
import { explainGitError } from './repository.js';

/** The last commit of a branch of a remote repository, by one request; undefined where there is no such branch. */
export async function remoteHead(url: string, ref: string, http: HttpClient): Promise<string | undefined> {
  try {
    const refs = await git.listServerRefs({ http, url, prefix: ref, protocolVersion: 1 });
    return refs.find((each) => each.ref === ref)?.oid;
  } catch (error) {
    throw explainGitError(error, ref);
  }
}
