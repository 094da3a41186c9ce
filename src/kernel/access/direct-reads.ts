import { Injectable, SetMetadata, type ExecutionContext, type PipeTransform, type Type } from '@nestjs/common';
import { CUSTOM_ROUTE_ARGS_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DiscoveryService, HttpAdapterHost, MetadataScanner } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { Request, RequestHandler, Response } from 'express';
import { finalForm } from '../common/envelope.interceptor.js';
import { parametersOf, type PathParameters } from '../common/path-template.js';
import { AccessGuard } from './access.guard.js';
import { BearerGuard } from './bearer.guard.js';
import { UnknownInputInterceptor } from './unknown-input.interceptor.js';

const DIRECT = Symbol('direct');

/**
 * Answers a read that is asked for all the time without the router and the pipeline of Nest, which cost more than the
 * read itself: by the same guards, checks and envelope, and as the other decorators of the handler say. Its parameters
 * may be those of the path, its query as a whole, and those of decorators of our own.
 */
export const Direct = () => SetMetadata(DIRECT, true);

/** The tokens under which Nest keeps what a module provides for all operations. */
const ENHANCER = /^APP_(?:GUARD|INTERCEPTOR|PIPE|FILTER) /;

type Handler = (...values: unknown[]) => unknown;
type Argument = (context: ExecutionContext, request: Request) => unknown;

interface DirectRead {
  /** The path as the router names it, and its segments. */
  readonly route: string;
  readonly template: readonly string[];
  readonly type: Type;
  readonly controller: object;
  readonly handler: Handler;
  readonly arguments: readonly Argument[];
}

/** A parameter of a handler, as decorators declare it under a key that begins with its kind. */
interface DeclaredParameter {
  readonly index: number;
  readonly data?: unknown;
  readonly factory?: (data: unknown, context: ExecutionContext) => unknown;
}

/** Parsing the query again for each use costs more than looking for its mark. */
const NO_QUERY: Request['query'] = {};

/** The reads that are declared with `Direct`, in front of the router. */
@Injectable()
export class DirectReads {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly bearer: BearerGuard,
    private readonly access: AccessGuard,
    private readonly unknown: UnknownInputInterceptor,
    private readonly adapter: HttpAdapterHost,
  ) {}

  /** The middleware for paths below a prefix, with the check of queries; all other requests go on to the router. */
  below(prefix: string, validation: PipeTransform): RequestHandler {
    const reads = this.isOpen() ? this.find(prefix, validation) : [];
    return (request, response, next) => {
      const found = request.method === 'GET' ? readAt(reads, request.path) : undefined;
      if (found) this.answer(found, request, response).catch(next);
      else next();
    };
  }

  private async answer(
    { read, parameters }: { readonly read: DirectRead; readonly parameters: PathParameters },
    request: Request,
    response: Response,
  ): Promise<void> {
    request.params = parameters as Request['params'];
    request.route = { path: read.route };
    const context = new ExecutionContextHost([request, response], read.type, read.handler);
    await this.bearer.canActivate(context);
    await this.access.canActivate(context);
    if (request.url.includes('?')) this.unknown.check(context);
    const values: unknown[] = [];
    for (const argument of read.arguments) values.push(await argument(context, request));
    const result: unknown = await read.handler.apply(read.controller, values);
    this.unknown.note(response);
    this.adapter.httpAdapter.reply(response, finalForm(result, request, response));
  }

  /** Guards and interceptors that an extension brings for all operations hold for these as well: then the router answers them. */
  private isOpen(): boolean {
    const enhancers = this.discovery.getProviders().filter(({ token }) => ENHANCER.test(String(token)));
    return new Set(enhancers.map(({ host }) => host)).size === 1;
  }

  private find(prefix: string, validation: PipeTransform): DirectRead[] {
    const reads: DirectRead[] = [];
    for (const { metatype, instance } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      for (const name of this.scanner.getAllMethodNames(metatype.prototype as object)) {
        const handler = (metatype.prototype as Record<string, Handler>)[name];
        if (handler === undefined || Reflect.getMetadata(DIRECT, handler) !== true) continue;
        const made = argumentsOf(metatype as Type, name, validation);
        for (const path of [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat()) {
          const route = `${prefix}/${path}`;
          reads.push({
            route,
            template: route.split('/'),
            type: metatype as Type,
            controller: instance as object,
            handler,
            arguments: made,
          });
        }
      }
    }
    return reads;
  }
}

function readAt(reads: readonly DirectRead[], path: string) {
  const segments = path.split('/');
  for (const read of reads) {
    const parameters = parametersOf(read.template, segments);
    if (parameters) return { read, parameters };
  }
  return undefined;
}

/** How the arguments of a handler are made, in their order. */
function argumentsOf(type: Type, name: string, validation: PipeTransform): Argument[] {
  const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, name) ?? {}) as Record<string, DeclaredParameter>;
  const types = (Reflect.getMetadata('design:paramtypes', type.prototype as object, name) ?? []) as Type[];
  const made: Argument[] = [];
  for (const [key, { index, data, factory }] of Object.entries(declared)) {
    const kind = Number(key.split(':')[0]);
    if (factory !== undefined && key.includes(CUSTOM_ROUTE_ARGS_METADATA))
      made[index] = (context) => factory(data, context);
    else if (kind === Number(RouteParamtypes.PARAM) && typeof data === 'string')
      made[index] = (_, { params }) => params[data];
    else if (kind === Number(RouteParamtypes.QUERY) && data === undefined) {
      const metadata = { type: 'query', metatype: types[index] } as const;
      made[index] = (_, request) =>
        validation.transform(request.url.includes('?') ? request.query : NO_QUERY, metadata) as unknown;
    } else throw new Error(`${type.name}.${name} cannot be read directly: parameter ${index}`);
  }
  return made;
}
