import { describe, expect, it } from 'vitest';
import type { OperatorsKey } from '../../functions/domain/partners/api-key.ts';
import {
  hasAddressesOf,
  keyIdsBeside,
  keyStatus,
  MOST_MADE_KEYS,
  witnessesOf,
  worksFrom,
} from '../../functions/domain/partners/made-key.ts';
import { aMadeKey, MINUTE_MS, NOW } from '../support/builders.ts';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const maker: OperatorsKey = {
  partnerId: 'demo',
  keyId: 'key1',
  sha256: 'aa',
  scopes: ['read', 'manage'],
  status: 'ACTIVE',
  createdAt: NOW,
};

// docs/decisions.md, "API keys"
describe('a key that a partner makes', () => {
  it('is accepted an hour after the last of its witnesses has heard of it', () => {
    const { made } = aMadeKey();
    const two = aMadeKey({ made: { ...made, witnesses: ['one', 'two'] }, heard: { one: NOW } });

    expect(worksFrom(two)).toBeUndefined();
    expect(worksFrom({ ...two, heard: { one: NOW, two: NOW + 5 } })).toBe(NOW + 5 + HOUR_MS);
    expect(worksFrom({ ...two, heard: { one: NOW, stranger: NOW } })).toBeUndefined();
  });

  it('waits for an operator if it has no witness', () => {
    const { made } = aMadeKey();
    const alone = aMadeKey({ made: { ...made, witnesses: [] }, heard: { one: NOW } });

    expect(keyStatus(alone, maker, NOW + 2 * HOUR_MS)).toBe('WAITING');
    expect(keyStatus({ ...alone, approvedAt: NOW + 1 }, maker, NOW + 1)).toBe('ACTIVE');
  });

  it.each([
    ['WAITING', NOW + HOUR_MS - 1],
    ['ACTIVE', NOW + HOUR_MS],
    ['ACTIVE', NOW + DAY_MS - 1],
    ['EXPIRED', NOW + DAY_MS],
  ])('is %s at %d', (status, now) => {
    expect(keyStatus(aMadeKey({ heard: { one: NOW } }), maker, now)).toBe(status);
  });

  it('ends with its maker, and has only a key of the operators as its maker', () => {
    const approved = aMadeKey({ approvedAt: NOW });

    expect(keyStatus(approved, maker, NOW)).toBe('ACTIVE');
    for (const other of [undefined, { ...maker, status: 'REVOKED' } as const, aMadeKey({ approvedAt: NOW })])
      expect(keyStatus(approved, other, NOW)).toBe('REVOKED');
    expect(keyStatus({ ...approved, status: 'REVOKED' }, maker, NOW)).toBe('REVOKED');
  });
});

describe('the witnesses of a key', () => {
  const endpoint = (id: string, createdAt: number) => ({
    id,
    url: `https://partner.example/${id}`,
    secretCipher: 'cipher',
    createdAt,
  });
  const webhookEndpoints = [
    { ...endpoint('stopped', NOW - DAY_MS), stopped: { as: 'DISABLED', at: NOW } as const },
    endpoint('old', NOW - DAY_MS),
    endpoint('new', NOW - DAY_MS + 1),
  ];

  it('are the endpoints of a day, disabled ones too', () => {
    expect(witnessesOf({ webhookEndpoints }, NOW - DAY_MS)).toEqual(['stopped', 'old']);
  });

  it('are none for a day after an address was removed or replaced', () => {
    const partner = { webhookEndpoints, addressLostAt: NOW };

    expect(witnessesOf(partner, NOW - 1)).toEqual([]);
    expect(witnessesOf(partner, NOW)).toEqual(['stopped', 'old', 'new']);
    expect(hasAddressesOf(partner, NOW)).toBe(false);
    expect(hasAddressesOf(partner, NOW + 1)).toBe(true);
    expect(hasAddressesOf({}, NOW)).toBe(true);
  });
});

describe('the keys in the partner’s row', () => {
  const made = (index: number, createdAt: number) => aMadeKey({ keyId: `made${index}`, createdAt });

  it('lose those of the partner that ended 30 days ago', () => {
    const ended = { ...made(1, NOW - 31 * DAY_MS), status: 'REVOKED' } as const;
    const revoked = { ...maker, keyId: 'key0', status: 'REVOKED', createdAt: 0 } as const;
    const keys = [revoked, maker, ended, { ...ended, keyId: 'late', createdAt: NOW }, made(2, 0)];

    expect(keyIdsBeside(keys, NOW)).toEqual(['key0', 'key1', 'late', 'made2']);
  });

  it('are at most fifty of the partner', () => {
    const keys = [maker, ...Array.from({ length: MOST_MADE_KEYS }, (_, index) => made(index, NOW))];

    expect(keyIdsBeside(keys.slice(0, -1), NOW)).toHaveLength(MOST_MADE_KEYS);
    expect(() => keyIdsBeside(keys, NOW)).toThrow(expect.objectContaining({ code: 'API_KEY_LIMIT' }));
  });
});
