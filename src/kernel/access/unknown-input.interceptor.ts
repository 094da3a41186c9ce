import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Type } from '@nestjs/common';
import type { Request, Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { currentContext } from '../common/context.js';
import { declaredNames } from '../common/declared-fields.js';
import { IGNORED_HEADER, ignoredHeader, MAX_UNKNOWN, noteUnknown } from '../common/unknown-input.js';

/**
 * Names the parameters and fields that an operation does not know in a header of its answer; callers who prefer
 * `handling=strict` are refused for them instead. Fields of bodies are noted where these are checked.
 */
@Injectable()
export class UnknownInputInterceptor implements NestInterceptor {
  private readonly parameters = new WeakMap<object, ReadonlySet<string>>();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.check(context);
    return next.handle().pipe(tap(() => this.note(context.switchToHttp().getResponse<Response>())));
  }

  /** Notes what the handler does not know of the query. */
  check(context: ExecutionContext): void {
    const given = Object.keys(context.switchToHttp().getRequest<Request>().query);
    if (given.length === 0) return;
    const known = this.parametersOf(context);
    noteUnknown(given.filter((name) => !known.has(name)).slice(0, MAX_UNKNOWN));
  }

  /** Tells in the headers of an answer what was ignored. */
  note(response: Response): void {
    const { unknown, isStrict } = currentContext() ?? {};
    if (response.headersSent) return;
    if (isStrict === true) response.setHeader('Preference-Applied', 'handling=strict');
    if (unknown) response.setHeader(IGNORED_HEADER, ignoredHeader(unknown));
  }

  /** The parameters of the query that a handler declares. */
  private parametersOf(context: ExecutionContext): ReadonlySet<string> {
    const handler = context.getHandler();
    const kept = this.parameters.get(handler);
    if (kept) return kept;
    const names = new Set(queriesOf(context.getClass(), handler.name).flatMap(declaredNames));
    this.parameters.set(handler, names);
    return names;
  }
}

/** The classes of the arguments of a handler that hold its query. */
function queriesOf(controller: Type, handler: string): Type[] {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<
    string,
    { index: number }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler) ?? []) as Type[];
  return Object.entries(args)
    .filter(([key]) => Number(key.split(':')[0]) === Number(RouteParamtypes.QUERY))
    .flatMap(([, { index }]) => types[index] ?? []);
}
