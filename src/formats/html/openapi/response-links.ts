import { linkedOperation } from '../../openapi/domain/linked-operation.js';
import { followed, objectAt, textAt, type ApiDescription, type ReadonlyJsonObject } from './description.js';
import { valueText } from './schema.js';

/** An operation for which a response has values. */
export interface ResponseLink {
  readonly name: string;
  readonly description?: string;
  /** Its id, or its method and path. */
  readonly operation: string;
  /** The values, as expressions such as `$response.body#/id`, by parameters. */
  readonly values: readonly { readonly name: string; readonly from: string }[];
}

const MAX_LINKS = 20;
const MAX_NAME = 200;

/** The links of a response to operations of the same specification. */
export function responseLinks(api: ApiDescription, response: ReadonlyJsonObject): ResponseLink[] {
  return Object.entries(objectAt(response, 'links'))
    .slice(0, MAX_LINKS)
    .flatMap(([name, value]) => {
      const link = followed(api, value)?.value ?? {};
      const operation = linkedOperation(link);
      if (operation === undefined) return [];
      const description = textAt(link, 'description');
      const given = {
        ...objectAt(link, 'parameters'),
        ...(link['requestBody'] !== undefined && { body: link['requestBody'] }),
      };
      const values = Object.entries(given)
        .slice(0, MAX_LINKS)
        .map(([parameter, from]) => ({ name: parameter.slice(0, MAX_NAME), from: valueText(from) }));
      return [{ name: name.slice(0, MAX_NAME), ...(description !== undefined && { description }), operation, values }];
    });
}
