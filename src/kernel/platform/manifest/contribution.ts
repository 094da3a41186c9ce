/**
 * An extension point: a module lets higher modules contribute to its output or work without knowing them: a column that
 * they maintain, a condition, work in the same transaction. The module declares the point beside the code that uses it;
 * higher modules list their contributions in their manifests, and `Registry.contributionsTo` returns all of them in the
 * order of the modules.
 */
export class ContributionPoint<Value> {
  constructor(readonly name: string) {}

  /** A contribution for the list `contributes` of a manifest. */
  with(value: Value): Contribution<Value> {
    return { point: this, value };
  }
}

export interface Contribution<Value = unknown> {
  readonly point: ContributionPoint<Value>;
  readonly value: Value;
}
