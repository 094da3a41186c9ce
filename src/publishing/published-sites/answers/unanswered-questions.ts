import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Registry } from '../../../kernel/platform/manifest/registry.js';
import { Budgets } from '../../../kernel/platform/rate-limit/budget.js';
import { UNANSWERED_QUESTIONS, type UnansweredQuestionRecorder } from '../../sites/sites.points.js';
import type { SearchedSite } from '../search/site-search.service.js';

const RECORDED_PER_MINUTE = 30;

/** Hands the questions of readers that a site does not answer to those who keep them, where the site says so. */
@Injectable()
export class UnansweredQuestions implements OnModuleInit {
  private readonly logger = new Logger(UnansweredQuestions.name);
  private recorders: readonly UnansweredQuestionRecorder[] = [];

  constructor(
    private readonly registry: Registry,
    private readonly modules: ModuleRef,
    private readonly budgets: Budgets,
  ) {}

  /** Modules above are complete only after this service is created. */
  onModuleInit(): void {
    this.recorders = this.registry
      .contributionsTo(UNANSWERED_QUESTIONS)
      .map((recorder) => this.modules.get(recorder, { strict: false }));
  }

  /** Records a question behind the answer, which does not wait; does nothing for sites without the setting. */
  note({ id: siteId, organizationId, reader, recordsAs: siteTitle }: SearchedSite, text: string): void {
    if (reader === undefined || siteTitle === undefined || this.recorders.length === 0) return;
    this.record({ siteId, organizationId, siteTitle, text }).catch((error: unknown) =>
      this.logger.warn(`A question of a reader was not recorded: ${String(error)}`),
    );
  }

  private async record(question: Parameters<UnansweredQuestionRecorder['record']>[0]): Promise<void> {
    const { allowed } = await this.budgets.spend(`unanswered:${question.siteId}`, RECORDED_PER_MINUTE);
    if (!allowed) return;
    for (const recorder of this.recorders) await recorder.record(question);
  }
}
