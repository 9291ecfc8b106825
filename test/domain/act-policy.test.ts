import { describe, expect, test } from 'vitest';
import { faultOfPolicy, isOneOf, policyOf } from '../../functions/domain/acts/act-policy.ts';
import { ACT_RULES, type ActRule, type Role } from '../../functions/domain/acts/act-rules.ts';
import { personOfArn } from '../../functions/domain/acts/operator.ts';

const RULES = Object.entries(ACT_RULES as Readonly<Record<string, ActRule>>);
const SECONDED = RULES.filter(([, { second }]) => second).map(([name]) => name);
const person = (role: string) => personOfArn(`arn:aws:sts::111122223333:assumed-role/${role}/ana`)!;
const sso = (name: string) => person(`AWSReservedSSO_${name}_0123456789abcdef`);

// docs/operations.md, "Two persons"
describe('production', () => {
  const { findRule, operatorOf } = policyOf('production', {});

  test('wants a second person for all that lets money or a person go', () => {
    expect(SECONDED).toEqual([
      ...[
        'reviews clear',
        'reviews confirm',
        'reviews undo',
        'fraud lift',
        'clients unblock',
        'cases close RETURNED_OUTSIDE',
        'subject erase',
        'subject release',
      ],
      ...['keys create', 'keys approve', 'vendor-keys approve', 'partners kyc-tokens'],
      ...['treasury release', 'treasury cancel', 'treasury allow'],
    ]);
    for (const name of SECONDED) expect(findRule(name)!.second).toBeDefined();
  });

  test.each<[string, readonly Role[]]>([
    ['OnrampViewer', ['viewer']],
    ['OnrampOperator', ['operator']],
    ['OnrampCompliance', ['compliance']],
    ['OnrampAdmin', ['admin']],
    ['AdministratorAccess', []],
    ['constructor', []],
  ])('gives the permission set %s the roles %j', (set, roles) => {
    expect(operatorOf(sso(set)).roles).toEqual(roles);
  });

  test('gives no role to a role of the same name that is not of Identity Center', () => {
    expect(operatorOf(person('OnrampAdmin')).roles).toEqual([]);
    expect(operatorOf(person('constructor')).roles).toEqual([]);
  });

  test('takes the roles and the rules of its settings', () => {
    const second = { by: ['admin'], withinHours: 2 } as const;
    const changed = policyOf('production', {
      roles: { Desk: ['operator', 'compliance'] },
      acts: {
        'fraud lift': { second },
        'keys create': { second: null },
        'keys revoke': { by: ['admin'], second },
      },
    });

    expect(changed.operatorOf(person('Desk')).roles).toEqual(['operator', 'compliance']);
    expect(changed.findRule('fraud lift')).toEqual({ by: ['operator', 'compliance'], second });
    expect(changed.findRule('keys create')).toEqual({ by: ['operator'] });
    expect(changed.findRule('keys revoke')).toEqual({ by: ['admin'], second });
  });
});

describe('a sandbox', () => {
  test('lets everybody do everything alone', () => {
    const { findRule, operatorOf } = policyOf('sandbox', {});

    for (const [name] of RULES) expect(findRule(name)!.second).toBeUndefined();
    expect(operatorOf(person('Whatever')).roles).toEqual(['admin']);
  });

  test('wants a second person where its settings say so', () => {
    const second = { by: ['compliance'], withinHours: 1 } as const;

    expect(
      policyOf('sandbox', { acts: { 'fraud lift': { second } } }).findRule('fraud lift')!.second,
    ).toEqual(second);
  });
});

test('the hours until a review case is overdue are those of the stage, or the default', () => {
  expect(policyOf('production', {}).getReviewHours()).toEqual({ PENDING: 8, REJECTED: 24 });
  expect(policyOf('production', { reviewHours: { PENDING: 2 } }).getReviewHours()).toEqual({
    PENDING: 2,
    REJECTED: 24,
  });
});

describe('a role', () => {
  test('may what it is named for, and an admin all', () => {
    expect(isOneOf(['operator'], ['operator', 'compliance'])).toBe(true);
    expect(isOneOf(['viewer'], ['operator'])).toBe(false);
    expect(isOneOf([], ['operator'])).toBe(false);
    expect(isOneOf(['admin'], ['compliance'])).toBe(true);
  });
});

describe('the settings of a stage', () => {
  const second = { by: ['admin'], withinHours: 1 };

  test.each([
    [{}],
    [{ roles: { Desk: ['operator'] } }],
    [{ acts: { 'fraud lift': { second: null } } }],
    [{ acts: { 'fraud lift': { by: ['admin'], second: { ...second, withinHours: 168 } } } }],
    [{ reviewHours: { PENDING: 1, REJECTED: 168 } }],
  ])('may be %j', (changes) => {
    expect(faultOfPolicy(changes)).toBeUndefined();
  });

  test.each([
    [{ rolls: {} }, 'must be an object with roles, acts, reviewHours or several'],
    [{ reviewHours: 8 }, 'reviewHours must have PENDING, REJECTED or both, as 1 to 168'],
    [{ reviewHours: { PENDING: 0 } }, 'reviewHours must have'],
    [{ reviewHours: { PENDING: 1.5 } }, 'reviewHours must have'],
    [{ reviewHours: { REJECTED: 169 } }, 'reviewHours must have'],
    [{ reviewHours: { OPEN: 8 } }, 'reviewHours must have'],
    [[], 'must be an object with roles'],
    ['all', 'must be an object with roles'],
    [null, 'must be an object with roles'],
    [{ acts: ['fraud lift'] }, 'must be an object with roles'],
    [{ roles: { Desk: [] } }, 'roles of Desk must be some of'],
    [{ roles: { Desk: ['boss'] } }, 'roles of Desk must be some of'],
    [{ roles: { Desk: 'operator' } }, 'roles of Desk must be some of'],
    [{ acts: { 'fraud lit': {} } }, 'there is no act fraud lit'],
    [{ acts: { constructor: {} } }, 'there is no act constructor'],
    [{ acts: { 'fraud lift': null } }, 'fraud lift must be an object'],
    [{ acts: { 'fraud lift': { bye: [] } } }, 'fraud lift must be an object'],
    [{ acts: { 'fraud lift': { by: [] } } }, 'fraud lift: by must be some of'],
    [{ acts: { 'fraud lift': { second: {} } } }, 'fraud lift: second must have'],
    [{ acts: { 'fraud lift': { second: { ...second, withinHours: 0 } } } }, '1 to 168 as withinHours'],
    [{ acts: { 'fraud lift': { second: { ...second, withinHours: 169 } } } }, '1 to 168 as withinHours'],
    [{ acts: { 'fraud lift': { second: { ...second, withinHours: '1' } } } }, '1 to 168 as withinHours'],
    [{ acts: { 'fraud lift': { second: { ...second, within: 1 } } } }, 'second must have'],
    [{ acts: { 'totp reset': { second } } }, 'its call names a client'],
  ])('may not be %j', (changes, words) => {
    expect(faultOfPolicy(changes)).toContain(words);
  });
});
