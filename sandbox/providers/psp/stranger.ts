import type { Store } from '../store.ts';
import type { World } from '../world.ts';

const PREFIX = 'stranger/';

/**
 * The same simulated PSP for another merchant, which has its own credentials, Pix key, charges and callback
 * URL. Neither merchant sees the other's data. In tests this merchant is an attacker who knows the service's
 * callback URL.
 */
export function strangersWorld(world: World): World {
  const stranger = {
    clientId: 'sandbox-psp-stranger',
    clientSecret: 'sandbox-psp-stranger-secret',
    chave: 'b2f9e7d4-3c1a-4e58-9f06-7a5d8c2b1e40',
  };
  const settings = { ...world.settings, psp: { ...world.settings.psp, ...stranger } };
  return { ...world, settings, store: withPrefix(world.store) };
}

function withPrefix(store: Store): Store {
  return {
    get: (key) => store.get(`${PREFIX}${key}`),
    getAll: (keys) => store.getAll(keys.map((key) => `${PREFIX}${key}`)),
    put: (key, value, expectedVersion) => store.put(`${PREFIX}${key}`, value, expectedVersion),
    putAll: (puts) => store.putAll(puts.map((put) => ({ ...put, key: `${PREFIX}${put.key}` }))),
    async list<T>(folder: string) {
      const items = await store.list<T>(`${PREFIX}${folder}`);
      return items.map((item) => ({ ...item, key: item.key.slice(PREFIX.length) }));
    },
  };
}
