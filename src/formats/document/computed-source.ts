import { anything, boolean, fields, isObject, oneOf, optional, string, type Check } from './checks.js';
import type { ContentRef } from './types.js';

/** The slugs of OpenAPI specifications. */
export const SPEC_SLUG = /^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/;
export const OPENAPI = 'builtin:openapi';

type SpecRef = Extract<ContentRef, { kind: 'openapi' }>;

/** The source of a computed page: all pages of a specification, or one of them. */
export interface ComputedSource {
  readonly type: typeof OPENAPI;
  readonly props: Readonly<Record<string, unknown>>;
  readonly dependencies: { readonly spec: { readonly ref: SpecRef } };
}

const settings = {
  downloadLink: optional(boolean),
  expandOperations: optional(boolean),
  grouping: optional(oneOf('by-tag', 'by-operation')),
};
const pageName: Check = (value, path, fault) => {
  if (typeof value !== 'string' || value === '' || value.length > 250)
    fault(path, 'must be the name of a page, of 1 to 250 characters');
};
const PROPS = {
  computed: fields({ models: boolean, changelog: optional(boolean), ...settings }, true),
  models: fields({ doc: oneOf('models'), page: optional(pageName) }, true),
  changes: fields({ doc: oneOf('changes'), models: optional(boolean), grouping: settings.grouping }, true),
  operation: fields(
    {
      doc: oneOf('operation'),
      page: pageName,
      method: oneOf('get', 'post', 'put', 'delete', 'patch', 'options', 'head', 'trace', 'query', 'hook'),
      deprecated: optional(boolean),
    },
    true,
  ),
  page: fields({ doc: oneOf('info', 'operations', 'models', 'operation', 'tag'), page: pageName }, true),
};

/** Responses add the target beside the reference, and callers may send it back. */
const DEPENDENCY = fields(
  {
    ref: fields({ kind: oneOf('openapi'), spec: string({ pattern: SPEC_SLUG, max: 100 }) }, true),
    value: optional(anything),
  },
  true,
);

const source = (props: Check): Check =>
  fields({ type: oneOf(OPENAPI), props, dependencies: fields({ spec: DEPENDENCY }, true) }, true);

/**
 * Returns the first fault in the source of a page of a type, with its path inside the source; '' is the whole source.
 */
export function computedSourceFault(
  value: unknown,
  type: string,
): { readonly path: string; readonly message: string } | undefined {
  if (type !== 'computed' && type !== 'document') return { path: '', message: `a ${type} is not computed` };
  const props = isObject(value) && isObject(value.props) ? value.props : {};
  const { doc } = props;
  const check = source(
    type === 'computed'
      ? PROPS.computed
      : doc === 'models' || doc === 'operation' || doc === 'changes'
        ? PROPS[doc]
        : PROPS.page,
  );
  let found: { path: string; message: string } | undefined;
  check(value, '', (path, message) => (found ??= { path: path.replace(/^\./, ''), message }));
  return found;
}

/** The source as stored: without fields that responses add. */
export function plainSource({ type, props, dependencies }: ComputedSource): ComputedSource {
  const { kind, spec } = dependencies.spec.ref;
  return { type, props, dependencies: { spec: { ref: { kind, spec } } } };
}

/** The kind of the computed body of a page, such as `operation`; undefined for written pages. */
export function documentKindOf({ props }: { readonly props: Readonly<Record<string, unknown>> }): string | undefined {
  const source = props['computed'] as ComputedSource | undefined;
  return typeof source?.props.doc === 'string' ? source.props.doc : undefined;
}
