import { Injectable } from '@nestjs/common';

/** The base addresses of this installation; set once the listeners know their ports. */
@Injectable()
export class Addresses {
  private apiBase = 'http://127.0.0.1';
  private publicBase = 'http://127.0.0.1';
  private appBase = 'http://127.0.0.1/app';

  /** Without a trailing slash, as in `https://api.example.com`; the workspace is below `app`, by default of the API. */
  announce(api: string, published: string, app = `${api}/app`): void {
    this.apiBase = api;
    this.publicBase = published;
    this.appBase = app;
  }

  /** The address of an API resource; `path` begins after `/v1`. */
  location(path: string): string {
    return `${this.apiBase}/v1${path}`;
  }

  /** The address of a page of the workspace for people. */
  app(path: string): string {
    return `${this.appBase}${path}`;
  }

  /**
   * An address on the listener of files and published sites, or of a site with a domain of its own:
   * `//docs.example.com/guides` is served by that listener, with its scheme and port; an address that begins with
   * `https://` is served behind a proxy.
   */
  published(path: string): string {
    if (path.startsWith('https://')) return path;
    if (!path.startsWith('//')) return `${this.publicBase}${path}`;
    const { protocol, port } = new URL(this.publicBase);
    const [host = '', ...rest] = path.slice(2).split('/');
    return [`${protocol}//${host}${port === '' ? '' : `:${port}`}`, ...rest].join('/');
  }

  /**
   * The same addresses; those of a site, whose `published` paths begin with `root`, carry a share key that admits their
   * visitors.
   */
  withShareKey(root: string, key: string): Addresses {
    return new SharedAddresses(this, root, key);
  }

  get api(): string {
    return this.apiBase;
  }

  get public(): string {
    return this.publicBase;
  }

  /** The root addresses of both listeners; a proxy may serve other content beside them. */
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
    this.announce(of.api, of.public, of.app(''));
  }

  override published(path: string): string {
    const isWithin = path === this.root || path.startsWith(`${this.root}/`);
    return super.published(isWithin ? `${this.root}/~share/${this.key}${path.slice(this.root.length)}` : path);
  }
}
