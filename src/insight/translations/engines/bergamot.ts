import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasWords, type SegmentPiece, type Segment } from '../domain/segment.js';
import { modelFiles, modelFolder, pairOfFolder, type ModelFiles } from './domain/model-files.js';
import { ModelThread } from './model-thread.js';
import type { Engine, EngineAnswer, TranslationJob, Translator } from './translation-engine.js';

interface Model {
  /** The folder of the pair within the folder of models. */
  readonly folder: string;
  readonly files: ModelFiles;
}

/**
 * Models of Firefox (Bergamot) that the operator has put into a folder. They translate plain text: the text between two
 * markers is translated separately.
 */
export class Bergamot implements Engine {
  readonly title = 'Bergamot';

  constructor(
    private readonly folder: string,
    private readonly thread: ModelThread = new ModelThread(),
  ) {}

  async find(source: string, target: string): Promise<Translator | undefined> {
    const folder = modelFolder(await namesIn(this.folder), source, target);
    const model = folder && (await this.model(folder));
    if (!model) return undefined;
    const { size } = await stat(this.path(model, model.files.model));
    return {
      name: `bergamot ${model.folder} ${model.files.model} ${size}`,
      hides: 'words',
      translate: (segments, job) => this.translate(model, segments, job),
    };
  }

  async offer(): Promise<string> {
    const folders = (await namesIn(this.folder)).filter((folder) => pairOfFolder(folder) !== undefined);
    const models = await Promise.all(folders.map((folder) => this.model(folder)));
    return models.flatMap((model) => (model ? [pairOfFolder(model.folder)] : [])).join(', ');
  }

  close(): void {
    this.thread.stop();
  }

  private async model(folder: string): Promise<Model | undefined> {
    const files = modelFiles(await namesIn(join(this.folder, folder)));
    return files && { folder, files };
  }

  private path({ folder }: Model, file: string): string {
    return join(this.folder, folder, file);
  }

  private async translate(
    model: Model,
    segments: readonly Segment[],
    { signal }: TranslationJob,
  ): Promise<EngineAnswer> {
    const { sourceVocabulary, targetVocabulary, shortlist } = model.files;
    const files = [
      model.files.model,
      sourceVocabulary,
      targetVocabulary,
      ...(shortlist === undefined ? [] : [shortlist]),
    ].map((file) => this.path(model, file));
    const answers: (Segment | undefined)[] = [];
    for (const segment of segments) {
      const pieces: (SegmentPiece | undefined)[] = [];
      for (const piece of segment)
        pieces.push(typeof piece === 'string' ? await this.say(files, piece, signal) : piece);
      answers.push(pieces.includes(undefined) ? undefined : pieces.filter((piece) => piece !== undefined));
    }
    return { segments: answers };
  }

  /** Translates a text between markers, with the surrounding white space. */
  private async say(files: readonly string[], text: string, signal: AbortSignal): Promise<string | undefined> {
    if (!hasWords([text])) return text;
    const said = await this.thread.translate(files, text.trim(), signal);
    return said && `${/^\s*/.exec(text)?.[0] ?? ''}${said.trim()}${/\s*$/.exec(text)?.[0] ?? ''}`;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
