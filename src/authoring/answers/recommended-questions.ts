import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Database } from '../../kernel/common/database.js';
import { HiddenPages } from '../search/hidden-pages.js';
import type { PageOfSpace } from '../search/rankings.js';
import { visibleSpaces } from '../../workspace/spaces/visible-spaces.js';
import { isQuestion } from './domain/follow-ups.js';

const MAX_QUESTIONS = 10;
/** Pages whose headings are read. */
const PAGES_READ = 300;
const MAX_LENGTH = 120;

/** Headings of the pages that were changed last, which end like questions. */
const headings = (spaces: string, hidden: string): string => `SELECT DISTINCT ON (title) title FROM (
    SELECT left(n.section ->> 'title', ${MAX_LENGTH + 1}) AS title
      FROM (SELECT c.space_id, c.hash FROM (${spaces}) v JOIN page_current c ON c.space_id = v.id AND length(c.title_vector) > 0${hidden} LIMIT ${PAGES_READ}) p
      JOIN document d ON d.space_id = p.space_id AND d.hash = p.hash
     CROSS JOIN LATERAL jsonb_array_elements(d.sections) AS n (section)) t
  WHERE title ~ '[?？؟]\\s*$' AND length(title) <= ${MAX_LENGTH} ORDER BY title LIMIT ${MAX_QUESTIONS}`;

/** Leaves out pages that two parameters list: their spaces and ids. */
const without = (spaces: string, pages: string): string =>
  ` AND NOT EXISTS (SELECT FROM unnest(${spaces}::text[], ${pages}::text[]) AS x (space, page) WHERE x.space = c.space_id AND x.page = c.page_id)`;

/** Questions that the content answers, as its authors put them: headings that are questions. */
@Injectable()
export class RecommendedQuestionFinder {
  constructor(
    private readonly database: Database,
    private readonly hidden: HiddenPages,
  ) {}

  /** Questions in the spaces that a member can see. */
  async inOrganization(userId: string, organization: OrganizationAccess): Promise<string[]> {
    const hidden = await this.hidden.inOrganization(userId, organization.id);
    return this.read(headings(`SELECT s.id ${visibleSpaces(organization.role).from}`, without('$3', '$4')), [
      userId,
      organization.id,
      hidden.map(({ space }) => space),
      hidden.map(({ page }) => page),
    ]);
  }

  /** Questions in some spaces, without those on some pages, such as pages that whoever asks cannot see. */
  async inSpaces(spaces: readonly string[], hidden: readonly PageOfSpace[]): Promise<string[]> {
    return this.read(
      headings('SELECT s.id FROM space s WHERE s.id = ANY ($1::text[]) AND s.deleted_at IS NULL', without('$2', '$3')),
      [spaces, hidden.map(({ space }) => space), hidden.map(({ page }) => page)],
    );
  }

  private async read(statement: string, values: readonly unknown[]): Promise<string[]> {
    const rows = await this.database.query<{ title: string }>(statement, values);
    return rows.map(({ title }) => title.trim()).filter(isQuestion);
  }
}
