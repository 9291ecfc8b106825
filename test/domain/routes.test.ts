import { describe, expect, test } from 'vitest';
import { addressOfRoute, ROUTES } from '../../functions/routes.ts';

const WITH_PARAMETERS = {
  id: '01J9ZK3F0000000000000000AB',
  kycToken: 'kyc_0123ABC',
  endpointId: 'receiver',
  keyId: 'key2',
  period: '2026-11',
  kid: 'vendor-2',
  eventId: '01J9ZK3F0000000000000000AB.1',
  token: 't',
};
const [mfa] = ROUTES.filter((route) => route.function === 'ConfirmMfa');

describe('the address of a route', () => {
  // Spec, Limits: "returns the cached response of the first"
  test.each(ROUTES)('is the path as a caller normally writes it: $method $path', (route) => {
    const plain = Object.entries(WITH_PARAMETERS).reduce<string>(
      (path, [name, value]) => path.replace(`{${name}}`, value),
      route.path,
    );

    // Idempotency keys are claimed under this path, so a new deployment must find those of the former one.
    expect(addressOfRoute(route, WITH_PARAMETERS)).toBe(plain);
  });

  test('differs for different parameters, whatever they contain', () => {
    const values = ['a', 'A', 'a/', 'a/b', 'a%2Fb', '{id}', '$&', 'a b', ''];

    const addresses = values.map((id) => addressOfRoute(mfa!, { id }));

    expect(new Set(addresses).size).toBe(values.length);
    for (const address of addresses) expect(address).toMatch(/^\/v1\/laas\/transactions\/[^/]*\/mfa$/);
  });

  test('needs no parameters if the route has none', () => {
    expect(addressOfRoute(ROUTES[0], null)).toBe('/v1/laas/kyc/submit');
  });
});
