/**
 * A place where a module lets those above it take part in what it shows or does, without knowing them: a column that they
 * keep, a condition, work in the same transaction. The module declares the point beside what it uses it for; those above list
 * their contributions in their manifests, and `Registry.contributionsTo` gives all of them in the order of the modules.
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
