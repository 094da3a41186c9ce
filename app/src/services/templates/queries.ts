import { queryOptions } from '@tanstack/react-query';
import { get, type Schemas } from '../../api/client.js';

export type Template = Schemas['TemplateBody'];
export type TemplatePage = Schemas['WholeTemplateBody']['pages'][number];

/** The templates do not change while the server runs. */
export const templatesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['templates', organizationId],
    staleTime: Infinity,
    queryFn: () => get('/v1/orgs/{organizationId}/templates', { organizationId }),
  });

/** A template with its pages as HTML. */
export const templateQuery = (organizationId: string, templateId: string) =>
  queryOptions({
    queryKey: ['templates', organizationId, templateId],
    staleTime: Infinity,
    queryFn: () => get('/v1/orgs/{organizationId}/templates/{templateId}', { organizationId, templateId }),
  });
