import { Condition, Flag, Id, ObjectName, Text, Url } from '../../kernel/common/fields.js';
import { versioned } from '../../kernel/common/versioned.js';
import { CONDITION, ICON } from './structure-fields.js';

export class SiteExternalLinkBody {
  @ObjectName('site-external-link')
  object: 'site-external-link';
  @Id()
  id: string;
  @Text({ example: 'Community' })
  title: string;
  @Text({ optional: true, example: 'Ask others' })
  description?: string;
  @Text({ optional: true, example: 'comments' })
  icon?: string;
  @Url({ example: 'https://community.example.com/' })
  url: string;
  @Id({ optional: true, description: 'The group that it is in' })
  sectionGroup?: string;
  @Flag({ example: false, description: 'Not live: readers do not see it' })
  draft: boolean;
  @Text({ optional: true, example: 'visitor.claims.isBetaUser' })
  condition?: string;
}

export class AddExternalLink {
  @Text({ min: 2, max: 128, example: 'Community' })
  title: string;
  @Text({ optional: true, nullable: true, max: 256, example: 'Ask others' })
  description?: string | null;
  @Text({ ...ICON, optional: true, nullable: true })
  icon?: string | null;
  @Url({ example: 'https://community.example.com/' })
  url: string;
  @Id({ optional: true, description: 'The section group to put it into; the root of the site when omitted' })
  parent?: string;
  @Flag({ optional: true, default: false, description: 'Readers do not see drafts' })
  draft?: boolean;
  @Condition(CONDITION)
  condition?: string | null;
}

export class UpdateExternalLink {
  @Text({ optional: true, min: 2, max: 128, example: 'Community' })
  title?: string;
  @Text({ optional: true, nullable: true, max: 256, example: 'Ask others' })
  description?: string | null;
  @Text({ ...ICON, optional: true, nullable: true })
  icon?: string | null;
  @Url({ optional: true, example: 'https://community.example.com/' })
  url?: string;
  @Id({
    optional: true,
    nullable: true,
    description: 'The section group to put it into, at its end; null puts it at the root of the site',
  })
  parent?: string | null;
  @Flag({ optional: true, description: 'Readers do not see drafts' })
  draft?: boolean;
  @Condition(CONDITION)
  condition?: string | null;
}

export interface ExternalLinkRow {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly icon: string | null;
  readonly url: string;
  readonly draft: boolean;
  readonly condition: string | null;
  readonly groupId: string | null;
  readonly position: string;
  readonly version: number;
}

export function presentExternalLink(row: ExternalLinkRow): SiteExternalLinkBody {
  return versioned(
    {
      object: 'site-external-link',
      id: row.id,
      title: row.title,
      ...(row.description !== null && { description: row.description }),
      ...(row.icon !== null && { icon: row.icon }),
      url: row.url,
      ...(row.groupId !== null && { sectionGroup: row.groupId }),
      draft: row.draft,
      ...(row.condition !== null && { condition: row.condition }),
    },
    row.version,
  );
}
