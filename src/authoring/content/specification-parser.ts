import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/common/errors.js';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { WorkerTask } from '../../kernel/platform/workers/worker-task.js';
import type { ApiOutline } from './domain/computed/outline.js';
import { SpecificationParts } from '../../formats/openapi/specification-parts.js';
import { SPECIFICATION_OUTLINE, SPECIFICATION_PARTS } from './specification-tasks.js';

export const MAX_SPECIFICATION_BYTES = 20 * 1024 ** 2;

/** Parses specifications. References in them are never fetched. */
@Injectable()
export class SpecificationParser {
  constructor(private readonly workers: WorkerPool) {}

  /** The outline of a specification in JSON or YAML for pages; null if it is invalid, too large or takes too long. */
  outline(bytes: Buffer): Promise<ApiOutline | null> {
    return this.read(SPECIFICATION_OUTLINE, bytes);
  }

  /** A whole specification, in parts that are parsed on demand; null as above. */
  async parts(bytes: Buffer): Promise<SpecificationParts | null> {
    const parts = await this.read(SPECIFICATION_PARTS, bytes);
    return parts && new SpecificationParts(parts);
  }

  private async read<Read>(task: WorkerTask<Uint8Array, Read | null>, bytes: Buffer): Promise<Read | null> {
    if (bytes.length > MAX_SPECIFICATION_BYTES) return null;
    try {
      return await this.workers.run(task, bytes);
    } catch (error) {
      // A refusal because of other waiting calls says nothing about the specification.
      if (error instanceof DomainError && !(error instanceof TaskLimitExceeded)) throw error;
      return null;
    }
  }
}
