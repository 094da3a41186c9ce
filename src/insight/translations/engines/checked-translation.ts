import { trimmed, untrimmed } from '../domain/line-edges.js';
import { hasWords, keepsMarkers, type Segment } from '../domain/segment.js';
import { SegmentMasker, unmaskSegment } from './domain/segment-masker.js';
import { EngineError, requireRunning } from './engine-error.js';
import type { EngineAnswer, TranslationJob, Translator } from './translation-engine.js';

/**
 * The common part of all engines: hides text that must not be translated, sends only segments with words, and accepts
 * an answer only if its markers are those of the source. Throws `EngineError`.
 */
export async function checkedTranslation(
  translator: Translator,
  segments: readonly Segment[],
  job: TranslationJob,
): Promise<EngineAnswer> {
  requireRunning(job.signal);
  const shield = new SegmentMasker(translator.hides, job.glossary, job.source);
  const prepared = segments.map((source) => {
    const { segment, hidden } = shield.hide(source);
    return { source, hidden, ...trimmed(segment) };
  });
  const sent = prepared.filter(({ core }) => hasWords(core));
  const answer: EngineAnswer =
    sent.length === 0
      ? { segments: [] }
      : await translator.translate(
          sent.map(({ core }) => core),
          job,
        );
  if (answer.segments.length !== sent.length)
    throw new EngineError(
      'malformed',
      `The translation engine gave ${answer.segments.length} answers to ${sent.length} texts`,
    );
  const answers = new Map(sent.map((each, index) => [each, answer.segments[index]]));
  const results = prepared.map((each) => {
    const translated = answers.has(each) ? answers.get(each) : each.core;
    if (
      translated === undefined ||
      !keepsMarkers(each.core, translated) ||
      hasWords(each.core) !== hasWords(translated)
    )
      return undefined;
    const result = untrimmed({ ...each, core: unmaskSegment(trimmed(translated).core, each.hidden) });
    // A hidden line end counts as content of a pair for the engine; without its marker the pair has no words, and may
    // have lost its own.
    return keepsMarkers(each.source, result) ? result : undefined;
  });
  return { ...answer, segments: results };
}
