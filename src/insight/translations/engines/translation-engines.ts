import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { TranslationEngineName } from './engine-name.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { Registry } from '../../../kernel/platform/manifest/registry.js';
import { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import type { Segment } from '../domain/segment.js';
import { Apertium } from './apertium.js';
import { Bergamot } from './bergamot.js';
import { ChatModel } from './chat-model.js';
import { checkedTranslation } from './checked-translation.js';
import { DeepL, deeplAddress } from './deepl.js';
import { EngineHttp, type HttpEngineSettings } from './engine-http.js';
import { LibreTranslate } from './libretranslate.js';
import { TRANSLATION_ENGINES, type Engine, type EngineAnswer, type TranslationJob } from './translation-engine.js';

/** Milliseconds for one request. Models generate an answer word by word. */
const SERVICE_LIMIT = 60_000;
const MODEL_LIMIT = 300_000;

export type EngineConfig = Pick<
  Config,
  | 'translationEngines'
  | 'apertiumModes'
  | 'bergamotModels'
  | 'libretranslateUrl'
  | 'libretranslateApiKey'
  | 'deeplApiKey'
  | 'deeplUrl'
  | 'llmUrl'
  | 'llmApiKey'
  | 'llmModel'
>;

/** The engine for a pair of languages. */
export interface ChosenEngine {
  /** Part of the memory's key: with another name everything is translated again. */
  readonly name: string;
  /** Throws `EngineError`, whose message tells people who manage translations what they can do. */
  translate(segments: readonly Segment[], job: TranslationJob): Promise<EngineAnswer>;
}

/** The translation engines of this server, as the operator has configured them. */
@Injectable()
export class TranslationEngines implements OnApplicationShutdown {
  private readonly engines: readonly Engine[];

  constructor(@Inject(CONFIG) config: Config, outbound: Outbound, registry: Registry) {
    const added = registry.contributionsTo(TRANSLATION_ENGINES).map((make) => make(config, outbound));
    const own = config.translationEngines.map((name) => engineOf(name, config, outbound));
    this.engines = [...added, ...own].filter((engine) => engine !== undefined);
  }

  /**
   * Chooses the engine for a pair, or returns why there is none. Throws `EngineError` if a preferred one cannot be
   * asked whether it supports the pair: another one would translate everything again, and worse.
   */
  async choose(source: string, target: string): Promise<ChosenEngine | { readonly reason: string }> {
    for (const engine of this.engines) {
      const translator = await engine.find(source, target);
      if (translator)
        return { name: translator.name, translate: (segments, job) => checkedTranslation(translator, segments, job) };
    }
    return { reason: await this.reason(source, target) };
  }

  onApplicationShutdown(): void {
    for (const engine of this.engines) engine.close?.();
  }

  private async reason(source: string, target: string): Promise<string> {
    const offers = await Promise.all(
      this.engines.map(async (engine) => ({ title: engine.title, offer: await engine.offer() })),
    );
    const here = offers.filter(({ offer }) => offer !== '').map(({ title, offer }) => `${title} (${offer})`);
    const what = here.length > 0 ? `It has ${here.join('; ')}.` : 'It has none at all.';
    return `This server has no translation engine from ${source} to ${target}. ${what} Its operator can install language pairs of Apertium or configure a translation service.`;
  }
}

/** Creates an engine, if it is configured. */
function engineOf(name: TranslationEngineName, config: EngineConfig, outbound: Outbound): Engine | undefined {
  const http = (settings: HttpEngineSettings): EngineHttp => new EngineHttp(outbound, settings);
  switch (name) {
    case 'apertium':
      return new Apertium(config.apertiumModes);
    case 'bergamot':
      return config.bergamotModels === undefined ? undefined : new Bergamot(config.bergamotModels);
    case 'libretranslate': {
      const { libretranslateUrl: base, libretranslateApiKey: key } = config;
      return base === undefined
        ? undefined
        : new LibreTranslate(
            http({ title: 'LibreTranslate', base, timeout: SERVICE_LIMIT, ...(key !== undefined && { key }) }),
            key,
          );
    }
    case 'deepl': {
      const { deeplApiKey: key, deeplUrl } = config;
      return key === undefined
        ? undefined
        : new DeepL(
            http({
              title: 'DeepL',
              base: deeplUrl ?? deeplAddress(key),
              authorization: `DeepL-Auth-Key ${key}`,
              timeout: SERVICE_LIMIT,
            }),
          );
    }
    case 'llm': {
      const { llmUrl: base, llmApiKey: key, llmModel: model } = config;
      if (base === undefined || model === undefined) return undefined;
      return new ChatModel(
        http({
          title: 'The language model',
          base,
          timeout: MODEL_LIMIT,
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        }),
        model,
      );
    }
  }
}
