import type { NextFunction, Request, Response } from 'express';
import { DomainError } from '../../common/errors.js';

/** The used part of Express's router: its routes, in order. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods that some route has for a path, as an `Allow` header names them. */
function allowedMethods(request: Request): string[] {
  const { stack } = request.app.router as unknown as { readonly stack: readonly Layer[] };
  const methods = new Set<string>();
  for (const layer of stack) {
    if (!layer.route || layer.route.methods['_all'] || !layer.match(request.path)) continue;
    for (const [method, served] of Object.entries(layer.route.methods)) if (served) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  if (methods.size > 0) methods.add('OPTIONS');
  return [...methods].sort();
}

/** Handles requests without a route: 405 if the path has other methods, the response to OPTIONS, else `next`. */
export function methodNotAllowed(request: Request, response: Response, next: NextFunction): void {
  const allowed = allowedMethods(request);
  if (allowed.length === 0) {
    next();
    return;
  }
  const Allow = allowed.join(', ');
  if (request.method === 'OPTIONS') response.set({ Allow }).status(204).end();
  else
    next(new DomainError('methodNotAllowed', `${request.method} is not possible here, only ${Allow}`, [], { Allow }));
}
