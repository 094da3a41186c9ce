import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/common/errors.js';
import { serializeMarkdown } from '../../formats/markdown/serialize.js';
import { TranslationEngines } from './engines/translation-engines.js';
import { Glossary } from './glossary.service.js';
import type { TranslationOrder } from './item-translator.js';
import type { TranslationRun } from './translation-runs.js';

/** Says how a run translates: by which engine, with which instructions and terms. */
@Injectable()
export class TranslationOrders {
  constructor(
    private readonly engines: TranslationEngines,
    private readonly glossary: Glossary,
  ) {}

  /** Throws `unavailable` where no engine translates between these languages. */
  async of(run: TranslationRun, signal: AbortSignal): Promise<TranslationOrder> {
    const { id, sourceSpaceId, resultSpaceId, language, sourceLanguage, slugs, readerNote } = run;
    const engine = await this.engines.choose(sourceLanguage, language);
    if ('reason' in engine) throw new DomainError('unavailable', engine.reason);
    const glossary = await this.glossary.terms(run.organizationId, sourceLanguage, language);
    return {
      ...{ sourceSpaceId, resultSpaceId, language, slugs, readerNote, glossary, engine, signal },
      translationId: id,
      place: { spaceId: sourceSpaceId, language },
      manner: {
        engine: engine.name,
        source: sourceLanguage,
        target: language,
        instructions: serializeMarkdown(run.instructions).trim(),
      },
      party: run.organizationId,
    };
  }
}
