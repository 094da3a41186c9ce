import { z, type ZodRawShape } from 'zod';
import type { CallApi } from './api-calls.js';

/** A tool of the workspace: what an agent may ask for, as calls of operations of the API. */
export interface Tool<Shape extends ZodRawShape = ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Shape;
  readonly writes?: true;
  /** Returns the text of the answer; throws `ApiRefusal`. */
  readonly run: (call: CallApi, input: z.infer<z.ZodObject<Shape>>) => Promise<string>;
}

/** Declares a tool with its own input. */
export const defineTool = <Shape extends ZodRawShape>(tool: Tool<Shape>): Tool => tool as unknown as Tool;

/** An id of the API. */
export const id = (what: string) => z.string().min(1).max(100).describe(what);
/** Inputs that several tools have. */
export const INPUT = {
  organization: id('Id of the organization'),
  space: id('Id of the space'),
  changeRequest: id('Id or number of the change request'),
  inRequest: id('Id or number of a change request, to read its content instead').optional(),
  page: id('Id of the page'),
  next: z.string().max(2000).optional().describe('`next` of the answer before, to read on'),
  limit: z.number().int().min(1).max(100).default(30).describe('Maximum number of entries'),
};

/** A text as a part of a path. */
export const part = encodeURIComponent;

/** The path of a space. */
export const spacePath = (space: string): string => `/spaces/${part(space)}`;

/** The path of a space, or of a change request of it. */
export const linePath = (space: string, request: string | undefined): string =>
  request === undefined ? spacePath(space) : `${spacePath(space)}/change-requests/${part(request)}`;
