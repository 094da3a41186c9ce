import { Injectable } from '@nestjs/common';

/** The one source of time: every stored time comes from here, so that tests can set it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
