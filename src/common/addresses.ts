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

  /** An address on the listener of files and published sites. */
  published(path: string): string {
    return `${this.publicBase}${path}`;
  }

  get api(): string {
    return this.apiBase;
  }

  get public(): string {
    return this.publicBase;
  }
}
