import { Injectable } from '@nestjs/common';

/** The addresses under which this installation is reached; filled in once the listeners know their ports. */
@Injectable()
export class Addresses {
  private apiBase = 'http://127.0.0.1';
  private publicBase = 'http://127.0.0.1';

  /** Without a trailing slash, as in `https://api.example.com`. */
  announce(api: string, published: string): void {
    this.apiBase = api;
    this.publicBase = published;
  }

  /** The address of an API resource; `path` begins after `/v1`. */
  location(path: string): string {
    return `${this.apiBase}/v1${path}`;
  }

  /** The address that a person opens for a thing of the workspace. */
  app(path: string): string {
    return `${this.publicBase}/~app${path}`;
  }

  /**
   * An address on the listener of files and published sites, or of a site with an address of its own: `//docs.example.com/guides`
   * is served by that listener, by its scheme and port; what begins with `https://` is behind a proxy.
   */
  published(path: string): string {
    if (path.startsWith('https://')) return path;
    if (!path.startsWith('//')) return `${this.publicBase}${path}`;
    const { protocol, port } = new URL(this.publicBase);
    const [host = '', ...rest] = path.slice(2).split('/');
    return [`${protocol}//${host}${port === '' ? '' : `:${port}`}`, ...rest].join('/');
  }

  /** The same addresses; those of a site, whose `published` paths begin with `root`, let in whoever opens them by a share key. */
  withShareKey(root: string, key: string): Addresses {
    return new SharedAddresses(this, root, key);
  }

  get api(): string {
    return this.apiBase;
  }

  get public(): string {
    return this.publicBase;
  }

  /** Where the roots of both listeners are reached; a proxy may serve something else beside them. */
  get own(): readonly string[] {
    return [this.apiBase, this.publicBase];
  }
}

class SharedAddresses extends Addresses {
  constructor(
    of: Addresses,
    private readonly root: string,
    private readonly key: string,
  ) {
    super();
    this.announce(of.api, of.public);
  }

  override published(path: string): string {
    const isWithin = path === this.root || path.startsWith(`${this.root}/`);
    return super.published(isWithin ? `${this.root}/~share/${this.key}${path.slice(this.root.length)}` : path);
  }
}
