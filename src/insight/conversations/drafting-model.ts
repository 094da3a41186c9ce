import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { FairQueue } from '../../kernel/platform/http/fair-queue.middleware.js';
import { LanguageModel, LanguageModelError } from '../../kernel/platform/language-model/language-model.js';
import type { CoveringPage } from './cluster-coverage.service.js';
import { draftMessages, parseDraft, type DraftMaterial } from './domain/cluster-draft.js';

const MODEL_MILLISECONDS = 25_000;

/** Asks the language model of the operator for the text of a draft, where the setting CONVERSATIONS_LLM allows it. */
@Injectable()
export class DraftingModel {
  private readonly logger = new Logger(DraftingModel.name);

  constructor(
    private readonly model: LanguageModel,
    private readonly queue: FairQueue,
    @Inject(CONFIG) private readonly config: Pick<Config, 'conversationsLlm'>,
  ) {}

  /** Paragraphs; undefined without a model, or if it fails. */
  async write(material: DraftMaterial, pages: readonly CoveringPage[]): Promise<string[] | undefined> {
    if (!this.config.conversationsLlm || !this.model.isConfigured) return undefined;
    const passages = pages.flatMap(({ hit }) =>
      hit.page.sections.map(({ title, body }) => ({ title: `${hit.page.title}: ${title}`, text: body })),
    );
    try {
      const messages = draftMessages(material, passages);
      return parseDraft(await this.queue.outside(() => this.model.complete(messages, { timeout: MODEL_MILLISECONDS })));
    } catch (error) {
      if (!(error instanceof LanguageModelError)) throw error;
      this.logger.warn(`The language model has failed, the draft is a skeleton: ${error.message}`);
      return undefined;
    }
  }
}
