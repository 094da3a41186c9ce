import { buildStaticInstance, type InstanceBuilder } from '@headless-tree/core';

type Method = (options: object, ...values: unknown[]) => unknown;
type Bound = (...values: unknown[]) => unknown;

const shared = new WeakMap<object, object>();
const OPTIONS = Symbol('options');

/**
 * Builds the items of a tree for headless-tree with methods that all of them share and that are bound when they are first
 * used: of ten thousand items only the rows in sight use theirs, and making all of them takes a second.
 */
export const buildLightInstance: InstanceBuilder = (features, type, buildOptions) => {
  if (type === 'treeInstance') return buildStaticInstance(features, type, buildOptions);
  const methods = shared.get(features) ?? sharedMethods(features.map((feature) => feature.itemInstance ?? {}));
  shared.set(features, methods);
  const instance = Object.create(methods) as Record<symbol, unknown>;
  instance[OPTIONS] = buildOptions(instance);
  return [instance as never, () => undefined];
};

/** Getters of all methods; where features have the same one, the later has the earlier as `prev`. */
function sharedMethods(features: readonly object[]): object {
  const methods = new Map<string, Method[]>();
  for (const feature of features)
    for (const [name, method] of Object.entries(feature) as [string, Method][])
      methods.set(name, [...(methods.get(name) ?? []), method]);
  const getters = [...methods].map(([name, chain]): [string, PropertyDescriptor] => [
    name,
    {
      get(this: Record<symbol, object>) {
        const options = this[OPTIONS];
        const bound = chain.reduce<Bound | undefined>(
          (prev, method) =>
            (...values) =>
              method({ ...options, prev }, ...values),
          undefined,
        );
        Object.defineProperty(this, name, { value: bound });
        return bound;
      },
    },
  ]);
  return Object.create(null, Object.fromEntries(getters)) as object;
}
