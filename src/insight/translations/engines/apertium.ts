import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Segment } from '../domain/segment.js';
import { ApertiumPipeline, type PipelineLimits } from './apertium-pipeline.js';
import { modeFor, pairsOf, pipelineOf } from './domain/apertium-modes.js';
import { beginningLike, fromStream, toStream } from './domain/apertium-stream.js';
import type { Engine, EngineAnswer, TranslationJob, Translator } from './translation-engine.js';

/** Texts that are sent at once: other callers of the same processes get their turn after so many. */
const TURN = 100;

/**
 * The language pairs of Apertium that are installed on this machine. It supports neither glossaries nor instructions.
 */
export class Apertium implements Engine {
  readonly title = 'Apertium';
  private readonly pipelines = new Map<string, ApertiumPipeline>();

  constructor(
    private readonly folder: string,
    private readonly limits: PipelineLimits = {},
  ) {}

  async find(source: string, target: string): Promise<Translator | undefined> {
    const mode = modeFor(await this.files(), source, target);
    if (mode === undefined) return undefined;
    const file = join(this.folder, `${mode}.mode`);
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    const command = pipelineOf(text);
    if (command === undefined) return undefined;
    // With the time of its installation: other data translate differently.
    const name = `apertium ${mode} ${Math.round(mtimeMs / 1000)}`;
    return {
      name,
      hides: 'words',
      translate: (segments, job) => this.translate(this.pipeline(command), segments, job),
    };
  }

  async offer(): Promise<string> {
    return pairsOf(await this.files()).join(', ');
  }

  close(): void {
    for (const pipeline of this.pipelines.values()) pipeline.stop();
  }

  private async files(): Promise<string[]> {
    return readdir(this.folder).catch(() => []);
  }

  private pipeline(command: string): ApertiumPipeline {
    const known = this.pipelines.get(command) ?? new ApertiumPipeline(command, this.limits);
    this.pipelines.set(command, known);
    return known;
  }

  private async translate(
    pipeline: ApertiumPipeline,
    segments: readonly Segment[],
    { signal }: TranslationJob,
  ): Promise<EngineAnswer> {
    const read: ReturnType<typeof fromStream>[] = [];
    for (let start = 0; start < segments.length; start += TURN) {
      const answers = await pipeline.answers(segments.slice(start, start + TURN).map(toStream), signal);
      read.push(...answers.map((answer) => (answer === undefined ? undefined : fromStream(answer))));
    }
    return {
      segments: read.map((each, at) => each && beginningLike(segments[at] ?? [], each.segment)),
      unknownWords: read.reduce((sum, each) => sum + (each?.unknownWords ?? 0), 0),
    };
  }
}
