import { expect, test } from 'vitest';
import { throttleOf, tokenBucket } from '../../sandbox/cloud/throttle.ts';

const SETTINGS = {
  MethodSettings: [
    { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 10, ThrottlingBurstLimit: 3 },
    { HttpMethod: 'POST', ResourcePath: '/~1a~1b', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 },
  ],
};

test('a bucket lets as many requests through at once as its burst, and then as many as flow in', () => {
  const passes = tokenBucket(2, 3);

  expect([0, 0, 0, 0].map(passes)).toEqual([true, true, true, false]);
  expect([500, 500, 1000].map(passes)).toEqual([true, false, true]);
  expect([60_000, 60_000, 60_000, 60_000].map(passes)).toEqual([true, true, true, false]);
});

test('a method with limits of its own takes those, and another the usual ones', () => {
  const [own, usual] = [throttleOf(SETTINGS, 'POST', '/a/b')!, throttleOf(SETTINGS, 'GET', '/a/b')!];

  expect([0, 0].map(own)).toEqual([true, false]);
  expect([0, 0, 0, 0].map(usual)).toEqual([true, true, true, false]);
});

test('each method has a bucket of its own, as API Gateway counts', () => {
  const [first, second] = [throttleOf(SETTINGS, 'GET', '/a')!, throttleOf(SETTINGS, 'GET', '/c')!];

  expect([0, 0, 0, 0].map(first)).toEqual([true, true, true, false]);
  expect(second(0)).toBe(true);
});

test('a stage without limits throttles nothing', () => {
  expect(throttleOf({}, 'GET', '/a')).toBeUndefined();
});
