import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { duplexPair } from 'node:stream';
import { json } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { currentContext } from '../../kernel/common/context.js';
import type { ErrorBody } from '../../kernel/common/error.filter.js';

/** An operation of the API with its arguments; absent values of `query` and `body` are left out. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The path behind `/v1`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: object;
  readonly ifMatch?: string | undefined;
}

export interface ApiAnswer<Body> {
  readonly body: Body;
  readonly etag: string | undefined;
}

/** An error of the API with its message, which names the fields at fault. */
export class ApiRefusal extends Error {}

/** Calls operations of the API in the name of one caller. */
export type CallApi = <Body>(call: ApiCall) => Promise<ApiAnswer<Body>>;

/**
 * Calls operations of this server in its process: with the guards, the checks and the limits that a call over the
 * network has, because it goes through the same handlers, over a connection in memory. Must not be used by a request
 * that holds a turn of the fair queue.
 */
@Injectable()
export class ApiCalls {
  /** Listens to nothing; it speaks HTTP on the connections that it is given. */
  private readonly server: Server;

  constructor(host: HttpAdapterHost) {
    this.server = createServer((request, response) =>
      host.httpAdapter.getInstance<RequestListener>()(request, response),
    );
  }

  /** Calls with the value of an `Authorization` header, and with the address and program of the current request. */
  as(authorization: string): CallApi {
    return async <Body>({ method, path, query = {}, body, ifMatch }: ApiCall) => {
      const context = currentContext();
      const given = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      );
      const payload = body && JSON.stringify(body);
      const response = await this.send(
        method,
        `/v1${path}?${new URLSearchParams(given).toString()}`,
        {
          authorization,
          ...(context && { 'x-request-id': context.requestId }),
          ...(context?.userAgent !== undefined && { 'user-agent': context.userAgent }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(payload)),
          }),
        },
        payload,
      );
      const { statusCode: status = 500, headers } = response;
      const value = status === 204 ? undefined : await json(response);
      if (status >= 400) throw new ApiRefusal((value as ErrorBody).error.message);
      return { body: value as Body, etag: headers.etag };
    };
  }

  private send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    payload: string | undefined,
  ): Promise<IncomingMessage> {
    const [near, far] = duplexPair();
    this.server.emit('connection', Object.assign(far, { remoteAddress: currentContext()?.ip }));
    return new Promise((resolve, reject) => {
      httpRequest({ method, path, headers: { host: 'localhost', ...headers }, createConnection: () => near }, resolve)
        .on('error', reject)
        .end(payload);
    });
  }
}
