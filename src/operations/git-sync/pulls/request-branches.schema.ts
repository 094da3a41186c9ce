import { Amount, OneOf, Text, Url } from '../../../kernel/common/fields.js';
import type { GitProvider } from '../../../workspace/spaces/git-sync.schema.js';
import { BRANCH_NAME } from '../domain/branch-names.js';

export class OpenPullRequest {
  @Text({
    optional: true,
    min: 1,
    max: 200,
    pattern: BRANCH_NAME,
    description:
      'The name of the branch, which must not exist yet. Without it the branch is named by the number and the subject of the change request',
    example: 'docs/installation',
  })
  branch?: string;
}

const STATES = ['pending', 'branch', 'open', 'closed', 'merged'] as const;
type PullRequestState = (typeof STATES)[number];

export class PullRequestBody {
  @OneOf(STATES, {
    description:
      '`pending` until it is opened, `branch` where the server has the branch and knows no pull requests, otherwise as it is at the provider',
  })
  state: PullRequestState;
  @OneOf(['outgoing', 'incoming'], {
    description: '`outgoing`: the change request was pushed. `incoming`: it was made of the pull request',
  })
  direction: 'outgoing' | 'incoming';
  @Text({ optional: true, description: 'The branch of an outgoing one', example: 'refs/heads/docs/installation' })
  branch?: string;
  @Amount({ optional: true, min: 1, description: 'Its number at the provider', example: 42 }) number?: number;
  @Url({ optional: true, description: 'Its page at the provider', example: 'https://github.com/acme/docs/pull/42' })
  url?: string;
  @Text({
    optional: true,
    description: 'The last commit that is in the change request as well',
    example: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  })
  commit?: string;
  @Text({
    optional: true,
    description: 'Why both are not equal now; tried again until it succeeds',
    example: 'GitHub refused it (403): the access token lacks a right, or asks too often',
  })
  error?: string;
}

/** The known facts of the pull request of a change request. */
export interface PullRequestFacts extends Record<string, unknown> {
  readonly provider: GitProvider;
  readonly ref: string | null;
  readonly number: number | null;
  readonly state: 'open' | 'closed' | 'merged' | null;
  readonly url: string | null;
  readonly oid: string | null;
  readonly failure: string | null;
}

export function presentPullRequest(facts: PullRequestFacts): PullRequestBody {
  const { provider, ref, number, state, url, oid, failure } = facts;
  return {
    state: state ?? (provider === 'git' && oid !== null ? 'branch' : 'pending'),
    direction: ref === null ? 'incoming' : 'outgoing',
    ...(ref !== null && { branch: ref }),
    ...(number !== null && { number }),
    ...(url !== null && { url }),
    ...(oid !== null && { commit: oid }),
    ...(failure !== null && { error: failure }),
  };
}
