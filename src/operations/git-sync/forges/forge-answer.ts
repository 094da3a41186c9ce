import { propertyOf } from '../../../kernel/common/property-of.js';

/** A value of an answer of a forge, which may be anything. */
export class ForgeAnswer {
  constructor(private readonly value: unknown) {}

  at(...names: readonly string[]): ForgeAnswer {
    return new ForgeAnswer(names.reduce(propertyOf, this.value));
  }

  /** Undefined where there is no text, or an empty one. */
  text(...names: readonly string[]): string | undefined {
    const { value } = this.at(...names);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** 0 where there is no whole number. */
  whole(...names: readonly string[]): number {
    const { value } = this.at(...names);
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
  }

  isTrue(): boolean {
    return this.value === true;
  }

  list(...names: readonly string[]): ForgeAnswer[] {
    const { value } = this.at(...names);
    return Array.isArray(value) ? value.map((each) => new ForgeAnswer(each)) : [];
  }
}
