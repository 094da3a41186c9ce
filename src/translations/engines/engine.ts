import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import type { Segment } from '../domain/segment.js';
import { Apertium } from './apertium.js';
import { checkedTranslation } from './checked-translation.js';
import type { Engine, EngineAnswer, TranslationJob } from './translation-engine.js';

/** The engine for a pair of languages. */
export interface ChosenEngine {
  /** Part of the memory's key: another name means that everything would be translated otherwise. */
  readonly name: string;
  /** Throws `EngineError`, whose message says what those who manage translations can do. */
  translate(segments: readonly Segment[], job: TranslationJob): Promise<EngineAnswer>;
}

/** The translation engines of this server, as the operator has configured them. */
@Injectable()
export class TranslationEngines implements OnApplicationShutdown {
  private readonly engines: readonly Engine[];

  constructor(@Inject(CONFIG) config: Pick<Config, 'apertiumModes'>) {
    this.engines = [new Apertium(config.apertiumModes)];
  }

  /**
   * The engine that will be taken for a pair, or why there is none. Throws `EngineError` where one that is preferred cannot
   * be asked whether it has the pair: another one would translate everything anew, and worse.
   */
  async choose(source: string, target: string): Promise<ChosenEngine | { readonly reason: string }> {
    for (const engine of this.engines) {
      const translator = await engine.find(source, target);
      if (translator) return { name: translator.name, translate: (segments, job) => checkedTranslation(translator, segments, job) };
    }
    return { reason: await this.reason(source, target) };
  }

  onApplicationShutdown(): void {
    for (const engine of this.engines) engine.close?.();
  }

  private async reason(source: string, target: string): Promise<string> {
    const offers = await Promise.all(this.engines.map(async (engine) => ({ title: engine.title, offer: await engine.offer() })));
    const here = offers.filter(({ offer }) => offer !== '').map(({ title, offer }) => `${title} (${offer})`);
    const what = here.length > 0 ? `It has ${here.join('; ')}.` : 'It has none at all.';
    return `This server has no translation engine from ${source} to ${target}. ${what} Its operator can install language pairs of Apertium or configure a translation service.`;
  }
}
