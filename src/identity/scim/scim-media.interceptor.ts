import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { ScimUserBody } from './scim.schema.js';

/** Gives answers the media type of RFC 7644, and those to what was made its address. */
@Injectable()
export class ScimMediaInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>().type('application/scim+json');
    return next.handle().pipe(
      map((body: Pick<ScimUserBody, 'meta'> | undefined) => {
        if (response.statusCode === 201 && body?.meta) response.location(body.meta.location);
        return body;
      }),
    );
  }
}
