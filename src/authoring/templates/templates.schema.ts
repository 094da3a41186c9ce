import { Amount, Free, Id, Nested, ObjectName, OneOf, Text } from '../../kernel/common/fields.js';
import { NewSpace } from '../content/new-spaces.schema.js';
import type { Template } from './template-library.js';

class TemplateParams {
  @Free({
    optional: true,
    description: 'Targets of the placeholders of the template, by name',
    example: { apiReference: { kind: 'url', url: 'https://api.example.com' } },
  })
  contentRefs?: Record<string, unknown>;
}

/** A template with the targets of its placeholders. */
export class ApplyTemplate {
  @Text({
    min: 1,
    max: 100,
    description: 'As `GET /orgs/{organizationId}/templates` lists it',
    example: 'product-documentation',
  })
  id: string;
  @Nested(() => TemplateParams, { optional: true }) params?: TemplateParams;
}

export class ApplyTemplateToSpace extends ApplyTemplate {
  @Id({ optional: true, description: 'Where to write; the primary content when omitted' }) changeRequestId?: string;
}

export class CreateSpace extends NewSpace {
  @Nested(() => ApplyTemplate, { optional: true, description: 'The space begins with the pages of this template' })
  template?: ApplyTemplate;
}

class TemplateRef {
  @Text({ example: 'apiReference' }) name: string;
  @Text({ example: 'Where the reference of your API is' }) description: string;
}

export class TemplateBody {
  @ObjectName('template') object: 'template';
  @Text({ example: 'product-documentation' }) id: string;
  @Text({ example: 'Product documentation' }) title: string;
  @Text({ example: 'A first page, guides, concepts and a reference' }) description: string;
  @Nested(() => TemplateRef, { list: true, description: 'The placeholders that `params.contentRefs` may fill' })
  contentRefs: TemplateRef[];
}

class TemplatePageBody {
  @Id({ description: 'Links in `html` lead to it as `#<id>`' }) id: string;
  @OneOf(['document', 'group', 'link', 'computed']) type: 'document' | 'group' | 'link' | 'computed';
  @Text({ example: 'Quickstart' }) title: string;
  @Text({ optional: true, example: 'The first steps' }) description?: string;
  @Text({ optional: true, example: 'rocket' }) icon?: string;
  @Text({ optional: true, description: 'As the codes of its characters', example: '1f680' }) emoji?: string;
  @Amount({ min: 0, example: 1, description: 'The number of pages above it' }) depth: number;
  @Text({
    description: 'The body as it will be published, without what placeholders lead to; empty for groups and links',
    example: '<p>Run the installer.</p>',
  })
  html: string;
}

export class WholeTemplateBody extends TemplateBody {
  @Nested(() => TemplatePageBody, { list: true, description: 'Its pages in their order' }) pages: TemplatePageBody[];
}

export class TemplatesBody {
  @Nested(() => TemplateBody, { list: true }) items: TemplateBody[];
}

export function presentTemplate({ id, title, description, contentRefs }: Template): TemplateBody {
  return {
    object: 'template',
    id,
    title,
    description,
    contentRefs: Object.entries(contentRefs).map(([name, purpose]) => ({ name, description: purpose })),
  };
}
