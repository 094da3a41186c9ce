import { Injectable } from '@nestjs/common';
import type { WriteResolution } from './base-merge-tasks.js';
import type { BatchIds } from './batch-ids.js';
import { BlockTexts, type GivenText } from './block-texts.js';
import type { ChangeInput, ResolutionInput } from './change-input.js';
import type { Point } from './content-store.js';
import { ChangeFault } from './domain/content-change.js';

/** How the conflicts of one text are settled, by their ids. */
export type WriteResolutions = ReadonlyMap<string, WriteResolution>;

const SIDES = { current: 'primary', given: 'changed' } as const;

/** Reads how changes settle the conflicts of their texts with what others have written. */
@Injectable()
export class ResolutionReader {
  constructor(private readonly texts: BlockTexts) {}

  /** Indexed by change. Throws `ChangeFault` with the index, `invalid` for Markdown that cannot be read. */
  async read(point: Point, inputs: readonly ChangeInput[], ids: BatchIds): Promise<Map<number, WriteResolutions>> {
    const found = new Map<number, Map<string, WriteResolution>>();
    const written: (GivenText & { readonly index: number; readonly conflict: string })[] = [];
    inputs.forEach((input, index) => {
      if (input.operation !== 'update_page' || input.resolutions === undefined) return;
      if (input.base === undefined) throw new ChangeFault('base', 'is needed with resolutions', index);
      const settled = new Map<string, WriteResolution>();
      input.resolutions.forEach((each, at) => {
        const path = `resolutions.${at}`;
        const { conflict, keep, markdown = '' } = requireOne(each, path, index);
        if (settled.has(conflict))
          throw new ChangeFault(`${path}.conflict`, 'is settled by another resolution already', index);
        settled.set(conflict, keep === undefined ? { json: '' } : { keep: SIDES[keep] });
        if (keep !== undefined) return;
        const item = `page:${ids.page(input.page)}` as const;
        written.push({ index, conflict, item, markdown, path: `changes.${index}.${path}.markdown` });
      });
      found.set(index, settled);
    });
    const documents = await this.texts.read([point], written);
    written.forEach(({ index, conflict }, at) =>
      found.get(index)?.set(conflict, { json: JSON.stringify(documents[at]) }),
    );
    return found;
  }
}

function requireOne(resolution: ResolutionInput, path: string, index: number): ResolutionInput {
  const isOne = (resolution.keep === undefined) !== (resolution.markdown === undefined);
  if (!isOne) throw new ChangeFault(path, 'needs exactly one of keep and markdown', index);
  return resolution;
}
