import type { Type } from '@nestjs/common';
import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';

/** A question of a reader that a site does not answer. */
export interface UnansweredQuestion {
  readonly organizationId: string;
  readonly siteId: string;
  readonly siteTitle: string;
  readonly text: string;
}

/** Keeps questions of readers that sites with the setting do not answer. */
export interface UnansweredQuestionRecorder {
  record(question: UnansweredQuestion): Promise<void>;
}

/** Classes of recorders, which are providers of the modules that contribute them. */
export const UNANSWERED_QUESTIONS = new ContributionPoint<Type<UnansweredQuestionRecorder>>('unanswered questions');
