import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { FairQueue } from '../platform/http/fair-queue.middleware.js';
import { hasBody, RequestBodies, OPEN_BODY_LIMIT } from '../platform/http/json-body.js';
import { RAW_BODY } from '../platform/http/raw-body.js';
import { PUBLIC } from './access.decorators.js';

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Reads the body of a request into `request.body`, which stays undefined without one. It must be the first interceptor:
 * the guards have then admitted the caller, and no body is read for a refused request.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly bodies: RequestBodies,
    private readonly queue: FairQueue,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const handler = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(RAW_BODY, handler)) this.queue.leave();
    else if (hasBody(request) && !WITHOUT_BODY.has(request.method)) {
      request.body = await this.bodies.json(
        request,
        this.reflector.getAllAndOverride<boolean>(PUBLIC, handler) ? OPEN_BODY_LIMIT : undefined,
      );
    }
    return next.handle();
  }
}
