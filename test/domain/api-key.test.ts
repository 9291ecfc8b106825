import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type ApiKey,
  KEY_SCOPES,
  type KeyScope,
  keyDigest,
  keyScopes,
  type OperatorsKey,
  type PartnersKey,
  requireKey,
  requireOtherKey,
  requireScope,
} from '../../functions/domain/partners/api-key.ts';
import { keyScopeOf, ROUTES, type Route } from '../../functions/routes.ts';
import { NOW } from '../support/builders.ts';

const refused = (code: string) => expect.objectContaining({ code });
const row = { partnerId: 'acme', keyId: 'key1', status: 'ACTIVE', createdAt: NOW } as const;
const given: OperatorsKey = { ...row, sha256: 'aa', scopes: ['read', 'write'] };
const made: PartnersKey = {
  ...row,
  made: { sha256: 'bb', scopes: ['read'], expiresAt: NOW + 1, maker: 'key1', witnesses: [], waitMs: 1 },
  heard: {},
};

describe('the scopes of a key', () => {
  it('are those that the operators or the partner gave', () => {
    const scopes: KeyScope[] = ['manage'];
    expect(keyScopes({ ...given, scopes })).toEqual(scopes);
    expect(keyScopes(made)).toEqual(['read']);
  });

  // docs/decisions.md, "API keys"
  it('open the calls of these scopes and no other', () => {
    fc.assert(
      fc.property(
        fc.subarray([...KEY_SCOPES]),
        fc.constantFrom<KeyScope>(...KEY_SCOPES),
        (scopes, needed) => {
          const call = () => requireScope({ ...given, scopes }, needed);
          if (scopes.includes(needed)) expect(call).not.toThrow();
          else expect(call).toThrow(refused('KEY_SCOPE_INSUFFICIENT'));
        },
      ),
    );
  });

  it('are named in the refusal', () => {
    const details = { needs: 'write', has: ['read'] };
    expect(() => requireScope(made, 'write')).toThrow(expect.objectContaining({ details }));
  });

  it('cannot be widened by fields of a made key in the row of another', () => {
    const mixed = { ...given, scopes: ['read'], made: { ...made.made, scopes: ['write'] } };
    const key = mixed as unknown as ApiKey;
    expect(keyScopes(key)).toEqual(['read']);
    expect(keyDigest(key)).toBe('aa');
  });

  it('of a made key are never manage, whatever its row says', () => {
    const forged = { ...made, made: { ...made.made, scopes: ['manage', 'read'] } } as unknown as ApiKey;
    expect(keyScopes(forged)).toEqual(['read']);
  });
});

describe('the scope of a route', () => {
  const partnerRoutes: Route[] = ROUTES.filter((route) => 'scope' in route);

  test.each(partnerRoutes)('follows from its method and path: $method $path', (route) => {
    const expected = route.path.startsWith('/laas/partner') ? 'manage' : 'write';
    expect(keyScopeOf(route)).toBe(route.method === 'GET' ? 'read' : expected);
  });
});

describe('a key that a partner revokes', () => {
  it('exists, and is not the key of the call', () => {
    expect(() => requireKey(undefined)).toThrow(refused('API_KEY_NOT_FOUND'));
    expect(() => requireOtherKey('key1', 'key1')).toThrow(refused('API_KEY_IN_USE'));
    expect(() => requireOtherKey('key2', 'key1')).not.toThrow();
  });
});
