import { Injectable } from '@nestjs/common';
import { Cache, textBytes } from '../../../kernel/common/cache.js';
import { holds } from '../../../kernel/common/expressions/evaluate.js';
import type { DataObject } from '../../../kernel/common/expressions/tree.js';
import { Database } from '../../../kernel/common/database.js';
import { ContentStore, NOTHING_HIDDEN } from '../../../authoring/content/content-store.js';
import { deriveDocument } from '../../../formats/document/derive.js';
import { evaluateDocument } from '../../../formats/document/evaluate.js';
import type { Document } from '../../../formats/document/types.js';
import { primaryPoint } from '../../../authoring/content/content-lines.js';
import { presentVariables } from '../../../authoring/content/present-content.js';
import { HiddenPages } from '../../../authoring/search/hidden-pages.js';
import type { PageOfSpace } from '../../../authoring/search/rankings.js';
import type { RewrittenPage } from '../../../authoring/search/scoped-search.service.js';

/**
 * Maximum number of documents with conditions that are evaluated for one search; further ones, the least likely hits,
 * are not found.
 */
const MAX_EVALUATED = 200;

/** In the spaces $1: pages that are hidden or have a condition, and whether any current document contains one. */
const FLAGGED = `SELECT s.id AS space,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('page', i.id, 'hidden', coalesce(i.props -> 'hidden' = 'true', false), 'condition', i.props ->> 'condition', 'vars', i.props -> 'variables')), '[]')
       FROM content_item i WHERE i.space_id = s.id AND i.line = '' AND i.kind = 'page' AND (i.props ? 'hidden' OR i.props ? 'condition')) AS pages,
    (SELECT coalesce(jsonb_agg(c.page_id), '[]') FROM document d JOIN page_current c ON c.space_id = d.space_id AND c.hash = d.hash
      WHERE d.space_id = s.id AND d.body::text LIKE '%"type":"if"%') AS documents
  FROM unnest($1::text[]) AS s (id)`;

/** Documents of pages, by space and page, with their variables. */
const BODIES = `SELECT c.space_id AS space, c.page_id AS page, d.body, i.props -> 'variables' AS vars
  FROM unnest($1::text[], $2::text[]) AS k (space, page)
  JOIN page_current c ON c.space_id = k.space AND c.page_id = k.page
  JOIN document d ON d.space_id = c.space_id AND d.hash = c.hash
  JOIN content_item i ON i.space_id = c.space_id AND i.line = '' AND i.kind = 'page' AND i.id = c.page_id`;

/** The current state of a space. */
export interface SpaceState {
  readonly id: string;
  /** Changes with its content. */
  readonly sequence: string;
  /** The limited pages that whoever asks does not see. */
  readonly hiddenPages: readonly string[];
}

/** A reader: the scope of expressions, and a key that is equal for equal claims. */
export interface VisitorScope {
  readonly visitor: DataObject;
  readonly claimsKey: string;
}

interface Flagged {
  readonly pages: readonly {
    readonly page: string;
    readonly hidden: boolean;
    readonly condition: string | null;
    readonly vars: DataObject | null;
  }[];
  /** Pages whose document has parts with conditions. */
  readonly documents: readonly string[];
}

/** The parts of spaces that a reader does not see, or sees in another form than the indexed one. */
export interface Unseen {
  readonly hidden: readonly PageOfSpace[];
  readonly rewritten: readonly RewrittenPage[];
}

/** Decides which content of spaces a reader may find. Spaces without conditions cost nothing once they are known. */
@Injectable()
export class ConditionalPages {
  private readonly flagged = new Cache<Flagged>({ share: 2, weigh: (flagged) => 2 * JSON.stringify(flagged).length });
  private readonly texts = new Cache<RewrittenPage['sections']>({
    share: 4,
    weigh: (sections) => sections.reduce((sum, { title, body }) => sum + 100 + textBytes(title) + textBytes(body), 0),
  });

  constructor(
    private readonly database: Database,
    private readonly store: ContentStore,
    private readonly pages: HiddenPages,
  ) {}

  /**
   * Pages that are limited, that are hidden or whose condition does not hold, with all descendants; and the visible
   * sections of pages with conditions inside. Members have no claims: they see what is not limited.
   */
  async unseen(spaces: readonly SpaceState[], reader: VisitorScope | undefined): Promise<Unseen> {
    const limited = spaces.flatMap(({ id: space, hiddenPages }) => hiddenPages.map((page) => ({ space, page })));
    if (!reader) return { hidden: await this.pages.withBelow(limited), rewritten: [] };
    const flagged = await this.flaggedOf(spaces);
    const variables = new Map<string, DataObject>();
    for (const { id } of spaces) {
      const known = flagged.get(id);
      if (known && (known.documents.length > 0 || known.pages.some(({ condition }) => condition !== null)))
        variables.set(id, await this.variablesOf(id));
    }
    const roots = spaces.flatMap(({ id: space }) =>
      (flagged.get(space)?.pages ?? [])
        .filter(
          ({ hidden, condition, vars }) =>
            hidden ||
            !holds(condition, {
              visitor: reader.visitor,
              space: { vars: variables.get(space) ?? {} },
              page: { vars: vars ?? {} },
            }),
        )
        .map(({ page }) => ({ space, page })),
    );
    const hidden = await this.pages.withBelow([...limited, ...roots]);
    const gone = new Set(hidden.map(nameOf));
    const conditional = spaces
      .flatMap(({ id: space, sequence }) =>
        (flagged.get(space)?.documents ?? []).map((page) => ({ space, page, sequence })),
      )
      .filter((page) => !gone.has(nameOf(page)));
    const evaluated = conditional.slice(0, MAX_EVALUATED);
    return {
      hidden: [...hidden, ...conditional.slice(MAX_EVALUATED)],
      rewritten: await this.rewritten(evaluated, variables, reader),
    };
  }

  private async flaggedOf(spaces: readonly SpaceState[]): Promise<Map<string, Flagged>> {
    const unknown = spaces.filter((space) => !this.flagged.has(stateOf(space)));
    if (unknown.length > 0) {
      const rows = await this.database.query<Flagged & { space: string }>(FLAGGED, [unknown.map(({ id }) => id)]);
      const found = new Map(rows.map(({ space, ...row }) => [space, row]));
      for (const space of unknown)
        this.flagged.set(stateOf(space), found.get(space.id) ?? { pages: [], documents: [] });
    }
    return new Map(
      spaces.flatMap((space) => {
        const known = this.flagged.get(stateOf(space));
        return known ? [[space.id, known] as const] : [];
      }),
    );
  }

  private async rewritten(
    pages: readonly (PageOfSpace & { readonly sequence: string })[],
    variables: ReadonlyMap<string, DataObject>,
    { visitor, claimsKey }: VisitorScope,
  ): Promise<RewrittenPage[]> {
    const keyOf = ({ space, page, sequence }: (typeof pages)[number]) => `${space} ${sequence} ${page} ${claimsKey}`;
    const unknown = pages.filter((page) => !this.texts.has(keyOf(page)));
    const bodies =
      unknown.length === 0
        ? []
        : await this.database.query<PageOfSpace & { body: Document; vars: DataObject | null }>(
            BODIES,
            columnsOf(unknown),
          );
    const made = new Map(
      bodies.map(({ space, page, body, vars }) => {
        const document = evaluateDocument(body, {
          visitor,
          spaceVariables: variables.get(space) ?? {},
          pageVariables: vars ?? {},
          deterministicOnly: false,
        });
        return [
          nameOf({ space, page }),
          deriveDocument(document).sections.map((section) => ({
            anchor: section.id,
            title: section.title,
            body: section.body,
          })),
        ] as const;
      }),
    );
    return pages.map((each) => {
      const sections = made.get(nameOf(each)) ?? this.texts.get(keyOf(each)) ?? [];
      if (made.has(nameOf(each))) this.texts.set(keyOf(each), sections);
      return { space: each.space, page: each.page, sections };
    });
  }

  private async variablesOf(spaceId: string): Promise<DataObject> {
    return presentVariables(
      await this.store.ofKinds(primaryPoint({ spaceId, sequence: Number.MAX_SAFE_INTEGER }, NOTHING_HIDDEN), [
        'variable',
      ]),
    ) as DataObject;
  }
}

const nameOf = ({ space, page }: PageOfSpace): string => `${space} ${page}`;
const stateOf = ({ id, sequence }: SpaceState): string => `${id} ${sequence}`;
const columnsOf = (pages: readonly PageOfSpace[]): [string[], string[]] => [
  pages.map(({ space }) => space),
  pages.map(({ page }) => page),
];
