import { OPERATION_METHODS } from './operation-methods.js';

const MAX_LENGTH = 300;

/** The operation that a link of a response names: its id, or `get /pets` for a reference to a path of the same specification. */
export function linkedOperation(link: Readonly<Record<string, unknown>>): string | undefined {
  const { operationId, operationRef } = link;
  if (typeof operationId === 'string' && operationId !== '') return operationId.slice(0, MAX_LENGTH);
  const [, path, method = ''] =
    typeof operationRef === 'string' ? (/^#\/paths\/([^/]+)\/(\w+)$/.exec(operationRef) ?? []) : [];
  if (path === undefined || !OPERATION_METHODS.some((each) => each === method)) return undefined;
  return `${method} ${decoded(path).replaceAll('~1', '/').replaceAll('~0', '~')}`.slice(0, MAX_LENGTH);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
