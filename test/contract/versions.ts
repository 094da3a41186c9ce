import { CLIENT_PACKAGES, describe, readDocument, type Description, type Version } from './documents.js';
import { DEVIATIONS, LATER_DEVIATIONS } from './deviations.js';
import type { Operation } from './operations.js';
import { ResponseValidator } from './validate.js';
import { VERSION_DEVIATIONS } from './version-deviations.js';

/** Operations of each version whose answers have to be valid: raised when more are, and a little below what random tests may show. */
const FLOOR: Readonly<Record<Version, number>> = {
  '0.146.0': 201,
  '0.167.0': 200,
  '0.181.0': 196,
  '0.202.0': 192,
};

/** An answer of 2xx that a test received. */
export interface Answer {
  readonly operation: string;
  readonly status: number;
  readonly body: unknown;
}

/** What the answers of a run show about one version. */
export interface VersionState {
  readonly version: Version;
  /** Operations of the version. */
  readonly operations: number;
  /** Those that the service has, as far as tests received answers of them. */
  readonly exercised: number;
  /** Those of which every answer is valid. */
  readonly valid: number;
  /** The first fault of each of the others. */
  readonly faults: readonly string[];
  readonly floor: number;
}

const key = (method: string, path: string): string =>
  `${method} ${path.replace(/^\/v1(?=\/|$)/, '') || '/'}`.replace(/\{\w+\}/g, '{}');

/** Validates the answers of a run against each version; versions whose package is not installed are left out. */
export function versionStates(operations: readonly Operation[], answers: Iterable<Answer>): VersionState[] {
  const known = new Map(operations.map((operation) => [operation.id, operation]));
  const judges = (Object.keys(CLIENT_PACKAGES) as Version[]).flatMap((version) => {
    const judge = VersionJudge.of(version);
    return judge ? [judge] : [];
  });
  for (const { operation: id, status, body } of answers) {
    const operation = known.get(id);
    if (operation) for (const judge of judges) judge.take(operation, status, body);
  }
  return judges.map((judge) => judge.state());
}

class VersionJudge {
  private readonly validator: ResponseValidator;
  private readonly faults = new Map<string, string | undefined>();
  private readonly paths: ReadonlyMap<string, string>;

  private constructor(
    private readonly version: Version,
    description: Description,
  ) {
    this.validator = new ResponseValidator({ public: description, next: description });
    this.paths = new Map(
      Object.entries(description.document.paths).flatMap(([path, item]) =>
        Object.keys(item)
          .filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
          .map((method) => [key(method.toUpperCase(), path), path] as const),
      ),
    );
  }

  static of(version: Version): VersionJudge | undefined {
    const document = readDocument(CLIENT_PACKAGES[version]);
    if (!document) return undefined;
    for (const { versions, since, apply } of [
      ...[...DEVIATIONS, ...LATER_DEVIATIONS].map((each) => ({ ...each, versions: undefined })),
      ...VERSION_DEVIATIONS,
    ]) {
      if ((versions && !versions.includes(version)) || (since && since <= version)) continue;
      try {
        apply?.(document);
      } catch (error) {
        // A deviation from a schema that this version does not have.
        if (versions) throw error;
      }
    }
    return new VersionJudge(version, describe(version, document));
  }

  take(operation: Operation, status: number, body: unknown): void {
    const path = this.paths.get(key(operation.method, operation.path));
    if (path === undefined || this.faults.get(operation.id) !== undefined) return;
    const [fault] = this.validator.success({ ...operation, path, source: 'public' }, status, body);
    this.faults.set(operation.id, fault);
  }

  state(): VersionState {
    const faulty = [...this.faults].filter(([, fault]) => fault !== undefined);
    return {
      version: this.version,
      operations: this.paths.size,
      exercised: this.faults.size,
      valid: this.faults.size - faulty.length,
      faults: faulty.map(([id, fault]) => `${id}: ${fault}`).sort(),
      floor: FLOOR[this.version],
    };
  }
}
