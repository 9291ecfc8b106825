import type { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { s3Store } from '../../functions/adapters/lists/s3.ts';

type Input = Record<string, unknown>;

/** A bucket with given answers, and the calls that it got. */
function bucket(answer: (operation: string) => unknown) {
  const calls: [operation: string, input: Input][] = [];
  const send = async (command: { input: Input; constructor: { name: string } }) => {
    calls.push([command.constructor.name, command.input]);
    return answer(command.constructor.name);
  };
  const store = s3Store(async () => ({ send }) as unknown as S3Client, 'lists-bucket');
  return { store, calls };
}

const refusing = (name: string) =>
  bucket(() => {
    throw Object.assign(new Error('refused'), { name });
  });
const bytes = Buffer.from('bytes');

describe('an object', () => {
  it('is read with its revision', async () => {
    const { store, calls } = bucket(() => ({
      ETag: '"e1"',
      Body: { transformToByteArray: async () => bytes },
    }));

    expect(await store.read('current.json')).toEqual({ bytes, revision: '"e1"' });
    expect(calls).toEqual([['GetObjectCommand', { Bucket: 'lists-bucket', Key: 'lists/current.json' }]]);
  });

  it('is undefined if it does not exist, and an error if it may not be read', async () => {
    expect(await refusing('NoSuchKey').store.read('current.json')).toBeUndefined();
    await expect(refusing('AccessDenied').store.read('current.json')).rejects.toThrow('refused');
  });

  it('is written if there is none, or in place of the one that was read', async () => {
    const { store, calls } = bucket(() => ({}));

    expect(await store.write('files/1', bytes)).toBe(true);
    expect(await store.write('current.json', bytes, '"e1"')).toBe(true);

    expect(calls.map(([, { Key, IfMatch, IfNoneMatch }]) => ({ Key, IfMatch, IfNoneMatch }))).toEqual([
      { Key: 'lists/files/1', IfMatch: undefined, IfNoneMatch: '*' },
      { Key: 'lists/current.json', IfMatch: '"e1"', IfNoneMatch: undefined },
    ]);
  });

  it.each(['PreconditionFailed', 'ConditionalRequestConflict', 'NoSuchKey'])(
    'is not written if S3 answers %s, which is no error',
    async (name) => {
      expect(await refusing(name).store.write('current.json', bytes, '"e1"')).toBe(false);
    },
  );

  it('is an error if it may not be written', async () => {
    await expect(refusing('AccessDenied').store.write('files/1', bytes)).rejects.toThrow('refused');
  });
});
