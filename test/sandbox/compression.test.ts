import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encoded } from '../../sandbox/cloud/compression.ts';

const reply = { headers: { 'Content-Type': 'text/plain' }, body: Buffer.from('a'.repeat(100)) };

describe('an answer of API Gateway', () => {
  it('is compressed from the minimum on for a caller who takes gzip', () => {
    const { headers, body } = encoded(reply, { minimum: 100, accepted: 'br, gzip;q=0.8' });

    expect(headers).toEqual({ 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' });
    expect(gunzipSync(body)).toEqual(reply.body);
  });

  it.each([
    ['is shorter', { minimum: 101, accepted: 'gzip' }],
    ['goes to a caller who does not take gzip', { minimum: 100, accepted: 'br' }],
    ['goes to a caller who does not say', { minimum: 100, accepted: undefined }],
    ['is of an API without compression', { minimum: undefined, accepted: 'gzip' }],
  ])('stays as it is where it %s', (_, options) => {
    expect(encoded(reply, options)).toBe(reply);
  });

  it('stays as it is where the function has encoded it', () => {
    const own = { ...reply, headers: { 'content-encoding': 'br' } };

    expect(encoded(own, { minimum: 1, accepted: 'gzip' })).toBe(own);
  });
});
