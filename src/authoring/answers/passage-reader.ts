import { Injectable } from '@nestjs/common';
import type { DataObject } from '../../kernel/common/expressions/tree.js';
import { Database } from '../../kernel/common/database.js';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { Evaluated } from '../../formats/document/evaluate.js';
import { primaryPoint } from '../content/content-lines.js';
import { NOTHING_HIDDEN } from '../content/content-store.js';
import { DocumentEvaluation } from '../content/document-evaluation.js';
import type { SearchSection } from '../search/search.schema.js';
import type { RankedHit } from '../search/ranked-hits.js';
import type { Passage } from './domain/answer.js';
import { textOfBlocks, type SectionText } from './domain/passage.js';
import { READ_SECTIONS } from './passage-tasks.js';

/** Sections of the best page; of the others one each, so that an answer does not hang on one page. */
const SECTIONS_OF_FIRST = 2;

/** The bodies of current pages, with the revision of their space. */
const BODIES = `SELECT k.space, k.page, s.revision_id AS revision, s.language, d.body::text AS body, i.props -> 'variables' AS variables
    FROM unnest($1::text[], $2::text[]) AS k (space, page)
    JOIN space s ON s.id = k.space
    LEFT JOIN page_current c ON c.space_id = k.space AND c.page_id = k.page
    LEFT JOIN document d ON d.space_id = c.space_id AND d.hash = c.hash
    LEFT JOIN content_item i ON i.space_id = k.space AND i.line = '' AND i.kind = 'page' AND i.id = k.page`;

interface BodyRow {
  readonly space: string;
  readonly page: string;
  readonly revision: string;
  readonly language: string | null;
  readonly body: string | null;
  readonly variables: DataObject | null;
}

/** Who reads: members read documents as they are written, visitors as their claims evaluate them. */
export type PassageViewer = { readonly visitor: DataObject } | undefined;

/** Reads the sections of found pages that may answer a question. */
@Injectable()
export class PassageReader {
  constructor(
    private readonly database: Database,
    private readonly evaluation: DocumentEvaluation,
    private readonly workers: WorkerPool,
  ) {}

  /** The passages of found pages, in their order: one statement for all bodies. */
  async read(organizationId: string, hits: readonly RankedHit[], viewer: PassageViewer): Promise<Passage[]> {
    if (hits.length === 0) return [];
    const rows = await this.database.query<BodyRow & Record<string, unknown>>(BODIES, [
      hits.map(({ space }) => space),
      hits.map(({ page }) => page.id),
    ]);
    const bodies = new Map(rows.map((row) => [`${row.space} ${row.page}`, row]));
    const evaluate = this.evaluations(viewer);
    const found = await Promise.all(
      hits.map(async (hit, place) => {
        const row = bodies.get(`${hit.space} ${hit.page.id}`);
        if (!row) return [];
        const sections = hit.page.sections.slice(0, place === 0 ? SECTIONS_OF_FIRST : 1);
        const wanted = sections.map(({ id, title }) => ({
          anchor: id === hit.page.id ? '' : id,
          titles: `${hit.page.title}\n${title}`,
        }));
        const texts =
          row.body === null
            ? []
            : await this.workers.run(
                READ_SECTIONS,
                { json: await evaluate(row, row.body), sections: wanted, concepts: hit.concepts },
                { party: organizationId },
              );
        return sections.flatMap((section, index): Passage[] => {
          const text = texts[index];
          const known = text && text.shown.length > 0 ? text : excerptText(hit, section);
          if (known.shown.length === 0) return [];
          return [
            {
              space: hit.space,
              spaceTitle: hit.spaceTitle,
              revision: row.revision,
              page: hit.page.id,
              pageTitle: hit.page.title,
              anchor: wanted[index]?.anchor ?? '',
              title: section.title,
              url: section.urls.app,
              text: known,
              language: row.language,
            },
          ];
        });
      }),
    );
    return found.flat();
  }

  /** Evaluates bodies with the variables of their spaces, which are read once for each space. */
  private evaluations(viewer: PassageViewer): (row: BodyRow, body: string) => Promise<string> {
    const evaluated: Evaluated = viewer ? 'true' : 'deterministic-only';
    const known = new Map<string, ReturnType<DocumentEvaluation['several']>>();
    return ({ space, variables }, body) => {
      const point = primaryPoint({ spaceId: space, sequence: Number.MAX_SAFE_INTEGER }, NOTHING_HIDDEN);
      const evaluate = known.get(space) ?? this.evaluation.several(point, evaluated, viewer?.visitor);
      known.set(space, evaluate);
      return evaluate({ props: { variables: variables ?? {} } }, body);
    };
  }
}

/** The found words of a page without a stored document, such as one that is computed. */
function excerptText({ page, concepts }: RankedHit, { title, body }: SearchSection): SectionText {
  return textOfBlocks(body === '' ? [] : [{ kind: 'paragraph', text: body }], `${page.title}\n${title}`, concepts);
}
