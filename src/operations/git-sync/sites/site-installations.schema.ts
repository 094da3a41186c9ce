import type { Addresses } from '../../../kernel/common/addresses.js';
import { Nested, ObjectName, OneOf, Text } from '../../../kernel/common/fields.js';
import { GitInstallationBody, presentGitInstallation, type GitInstallationRow } from '../git-installations.schema.js';
import type { StructurePlan } from './site-plans.js';

export class SiteGitInstallationsBody {
  @Nested(() => GitInstallationBody, {
    list: true,
    description: 'That of the site first, then those of its spaces, whether they belong to it or not',
  })
  items: GitInstallationBody[];
}

class PlannedNodeBody {
  @OneOf(['section-group', 'section', 'space', 'external-link']) type:
    'section-group' | 'section' | 'space' | 'external-link';
  @Text({ description: 'Its key in the file of the site', example: 'guides' }) key: string;
  @Text({ example: 'Guides' }) title: string;
  @OneOf(['add', 'change', 'remove'], { description: 'To the side that does not win' }) change:
    'add' | 'change' | 'remove';
}

class PlannedPlaceBody {
  @Text({ example: 'Guides' }) title: string;
  @Text({ nullable: true, description: 'Null for content that is not in the repository', example: 'docs/guides' })
  projectDirectory: string | null;
}

/** The changes that a first synchronization of a site would make to its structure. */
export class StructurePlanBody {
  @ObjectName('git-sync-structure-plan') object: 'git-sync-structure-plan';
  @OneOf(['git', 'gitbook']) priority: 'git' | 'gitbook';
  @Text({ description: 'The file that describes the site', example: 'gitbook-docs.yaml' }) path: string;
  @Nested(() => PlannedNodeBody, { list: true }) nodes: PlannedNodeBody[];
  @Nested(() => PlannedPlaceBody, { list: true, description: 'The spaces afterwards, with their folders' })
  spaces: PlannedPlaceBody[];
}

export function presentSiteInstallations(
  rows: readonly GitInstallationRow[],
  addresses: Addresses,
): SiteGitInstallationsBody {
  return { items: rows.map((row) => presentGitInstallation(row, addresses)) };
}

export function presentStructurePlan({ priority, path, nodes, spaces }: StructurePlan): StructurePlanBody {
  return {
    object: 'git-sync-structure-plan',
    priority,
    path,
    nodes: nodes.map(({ type, key, title, change }) => ({ type, key, title, change })),
    spaces: spaces.map(({ title, directory }) => ({ title, projectDirectory: directory })),
  };
}
