import { expect, it } from '@jest/globals';
import { isWebAddress } from '../src/kernel/common/web-address.js';

it('addresses with letters of any script stay addresses, however often it is asked', () => {
  let refused = 0;
  for (let turn = 0; turn < 20_000; turn++) if (!isWebAddress('https://bücher.example/ü')) refused++;
  expect({ refused, text: isWebAddress('no address') }).toEqual({ refused: 0, text: false });
});
