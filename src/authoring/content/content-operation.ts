import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request } from 'express';
import { Operation } from '../../kernel/common/operation.js';
import type { ContentPath } from './content-places.js';

/** The three places at which content is read; each operation exists at each of them with a name of its own. */
export function placesOf(rest: string): string[] {
  return [
    `spaces/:spaceId/content${rest}`,
    `spaces/:spaceId/change-requests/:changeRequestId/content${rest}`,
    `spaces/:spaceId/revisions/:revisionId${rest}`,
  ];
}

/** A space and its change requests: the places with mutable content. */
export function linePlacesOf(rest: string): string[] {
  return [`spaces/:spaceId${rest}`, `spaces/:spaceId/change-requests/:changeRequestId${rest}`];
}

/** The content of these places. */
export function livePlacesOf(rest: string): string[] {
  return linePlacesOf(`/content${rest}`);
}

/** Documents an operation of several paths: `ids` are its operationIds in the order of the paths. */
export function OperationAt(
  ids: readonly string[],
  options: Omit<Parameters<typeof Operation>[0], 'id'>,
): MethodDecorator {
  return applyDecorators(Operation({ ...options, id: ids[0] ?? '' }), ApiExtension('x-operation-ids', ids));
}

/** The place in the path: a change request, a revision, or neither. */
export const AtPlace = createParamDecorator((_: unknown, context: ExecutionContext): ContentPath => {
  const { changeRequestId, revisionId } = context
    .switchToHttp()
    .getRequest<Request<Record<string, string | undefined>>>().params;
  return { ...(changeRequestId !== undefined && { changeRequestId }), ...(revisionId !== undefined && { revisionId }) };
});

/** The path of a page at the end of a URL, however its slashes are encoded. */
export const PagePath = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { pagePath } = context
    .switchToHttp()
    .getRequest<Request<Record<string, string | string[] | undefined>>>().params;
  return [pagePath ?? []].flat().join('/');
});
