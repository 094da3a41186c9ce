import { INVARIANTS } from '../../kernel/platform/health-checks/health-checks.points.js';
import { CLUSTERS_COUNTED } from './conversations.invariants.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { CLUSTERS_OF_ISSUES } from '../../authoring/change-requests/change-requests.points.js';
import { UNANSWERED_QUESTIONS } from '../../publishing/sites/sites.points.js';
import { holdCluster } from './held-clusters.js';
import { QuestionRecorder } from './question-recorder.js';

export const CONVERSATIONS_CONTRIBUTIONS: readonly Contribution[] = [
  CLUSTERS_OF_ISSUES.with(holdCluster),
  UNANSWERED_QUESTIONS.with(QuestionRecorder),
  INVARIANTS.with(CLUSTERS_COUNTED),
];
