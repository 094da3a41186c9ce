import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request } from 'express';
import { Operation } from '../../kernel/common/operation.js';
import type { ContentPath } from './content-places.js';

/** The three places under which content is read; operations exist at each of them under a name of its own. */
export function placesOf(rest: string): string[] {
  return [
    `spaces/:spaceId/content${rest}`,
    `spaces/:spaceId/change-requests/:changeRequestId/content${rest}`,
    `spaces/:spaceId/revisions/:revisionId${rest}`,
  ];
}

/** A space and its change requests: the places with content that changes. */
export function linePlacesOf(rest: string): string[] {
  return [`spaces/:spaceId${rest}`, `spaces/:spaceId/change-requests/:changeRequestId${rest}`];
}

/** Their content. */
export function livePlacesOf(rest: string): string[] {
  return linePlacesOf(`/content${rest}`);
}

/** Publishes an operation of several paths: `ids` are its operationIds in the order of the paths. */
export function OperationAt(
  ids: readonly string[],
  options: Omit<Parameters<typeof Operation>[0], 'id'>,
): MethodDecorator {
  return applyDecorators(Operation({ ...options, id: ids[0] ?? '' }), ApiExtension('x-operation-ids', ids));
}

/** What the path says of the place: a change request, a revision, or neither. */
export const AtPlace = createParamDecorator((_: unknown, context: ExecutionContext): ContentPath => {
  const { changeRequestId, revisionId } = context
    .switchToHttp()
    .getRequest<Request<Record<string, string | undefined>>>().params;
  return { ...(changeRequestId !== undefined && { changeRequestId }), ...(revisionId !== undefined && { revisionId }) };
});

/** The path of a page at the end of an address, however its slashes are written. */
export const PagePath = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { pagePath } = context
    .switchToHttp()
    .getRequest<Request<Record<string, string | string[] | undefined>>>().params;
  return [pagePath ?? []].flat().join('/');
});
