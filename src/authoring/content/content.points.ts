import type { Type } from '@nestjs/common';
import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';
import type { BlockData } from '../../formats/document/types.js';

/** A block of an integration in a document, such as `{% @mermaid/diagram content="…" %}`. */
export type IntegrationBlock = Pick<BlockData['integration'], 'integration' | 'block' | 'props' | 'url'>;

/** Renders the blocks of one integration for readers. */
export interface IntegrationRenderer {
  /** The name of the integration, as in blocks. */
  readonly integration: string;
  /**
   * Returns Markdown that replaces a block on published pages, in their Markdown and in PDFs; HTML in it is sanitized,
   * addresses in it must be absolute. Undefined keeps the block unchanged, and so does an error. `signal` is aborted at
   * the time limit.
   */
  render(block: IntegrationBlock, signal: AbortSignal): string | undefined | Promise<string | undefined>;
}

/**
 * Classes of renderers, which are providers of the modules that contribute them. The last one for an integration
 * counts.
 */
export const INTEGRATION_RENDERERS = new ContributionPoint<Type<IntegrationRenderer>>('renderers of integrations');

/**
 * Statements in the transaction of each revision of a primary line, for data that other modules derive of its content:
 * `$1` the space, `$2` the kinds and `$3` the ids of changed pages and reusable contents.
 */
export const REVISION_STATEMENTS = new ContributionPoint<string>('statements after revisions of primary content');

/** Statements for the same data of a copied space (`$1`), once its content is complete. */
export const COPY_STATEMENTS = new ContributionPoint<string>('statements after copies of spaces');

/** Statements that limit the pages of a copy (`$2`) as those of the space (`$1`) are, at `$3`. */
export const COPY_LIMITS = new ContributionPoint<string>('limits of pages of copied spaces');

/** Further tables that grow with each write of content: their statistics are updated after large ones. */
export const ANALYZED_TABLES = new ContributionPoint<string>('tables that grow with content');
