import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../functions/domain/partners/events.ts';
import {
  endpointStatus,
  FILTERED_TYPES,
  MOST_ENDPOINTS,
  mayBeCalled,
  signingCiphers,
  takesEvent,
  type WebhookEndpoint,
  withDisabled,
  withEdited,
  withEnabled,
  withEndpoint,
  withNewSecret,
  withoutEndpoint,
  withPaused,
} from '../../functions/domain/partners/webhook-endpoint.ts';
import { NOW } from '../support/builders.ts';

const refused = (code: string) => expect.objectContaining({ code });

const DAY_MS = 24 * 60 * 60 * 1000;

describe('a partner’s webhook endpoints', () => {
  const anEndpoint = (id: string): WebhookEndpoint => ({
    id,
    url: `https://partner.example/${id}`,
    secretCipher: `cipher of ${id}`,
    createdAt: NOW,
  });
  const three = ['one', 'two', 'three'].map(anEndpoint);
  const rotate = (
    endpoints: WebhookEndpoint[],
    changes: { secretCipher: string; by: string; now?: number },
  ) => withNewSecret(endpoints, { id: 'two', now: NOW, ...changes });

  it('are at most five', () => {
    let endpoints: WebhookEndpoint[] = [];
    for (let count = 1; count <= MOST_ENDPOINTS; count++) {
      endpoints = withEndpoint(endpoints, anEndpoint(`e${count}`));
      expect(endpoints).toHaveLength(count);
    }

    expect(MOST_ENDPOINTS).toBe(5);
    expect(() => withEndpoint(endpoints, anEndpoint('more'))).toThrow(refused('WEBHOOK_ENDPOINT_LIMIT'));
  });

  it('replace an endpoint of the same id, even if there are five', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map(anEndpoint);
    const again = { ...anEndpoint('c'), secretCipher: 'second try' };

    expect(withEndpoint(five, again).filter(({ id }) => id === 'c')).toEqual([again]);
  });

  it('lose the removed endpoint', () => {
    expect(withoutEndpoint(three, 'two').map(({ id }) => id)).toEqual(['one', 'three']);
    expect(() => withoutEndpoint(three, 'four')).toThrow(refused('WEBHOOK_ENDPOINT_NOT_FOUND'));
  });

  it('sign with the new secret, and with the former secret for 24 hours', () => {
    const [one, two, last] = rotate(three, { secretCipher: 'new', by: 'request' });

    expect([one, last]).toEqual([three[0], three[2]]);
    expect(signingCiphers(three[1]!, NOW)).toEqual(['cipher of two']);
    expect(signingCiphers(two!, NOW)).toEqual(['new', 'cipher of two']);
    expect(signingCiphers(two!, NOW + DAY_MS - 1)).toEqual(['new', 'cipher of two']);
    expect(signingCiphers(two!, NOW + DAY_MS)).toEqual(['new']);
  });

  it('keep the former secret when the request that rotated is repeated', () => {
    const first = rotate(three, { secretCipher: 'never seen', by: 'request' });
    const [, again] = rotate(first, { secretCipher: 'shown', by: 'request' });
    const [, other] = rotate(first, { secretCipher: 'shown', by: 'another', now: NOW + 1 });

    expect(signingCiphers(again!, NOW)).toEqual(['shown', 'cipher of two']);
    expect(signingCiphers(other!, NOW + 1)).toEqual(['shown', 'never seen']);
  });

  it('refuse to rotate an endpoint that does not exist', () => {
    const unknown = { id: 'four', secretCipher: 'new', by: 'request', now: NOW };
    expect(() => withNewSecret(three, unknown)).toThrow(refused('WEBHOOK_ENDPOINT_NOT_FOUND'));
  });
});

describe('an endpoint that is stopped', () => {
  const endpoint: WebhookEndpoint = {
    id: 'one',
    url: 'https://partner.example/one',
    secretCipher: 'cipher',
    createdAt: NOW,
  };
  const only = (endpoints: WebhookEndpoint[]) => endpoints[0]!;
  const pausedAt = (now: number) => withPaused([endpoint], 'one', { now, failingSince: now });

  it('takes no event until it is enabled', () => {
    expect(endpointStatus(endpoint)).toBe('ENABLED');
    for (const [stopped, status] of [
      [withDisabled([endpoint], 'one', NOW), 'DISABLED'],
      [pausedAt(NOW), 'PAUSED'],
    ] as const) {
      expect(endpointStatus(only(stopped))).toBe(status);
      expect(only(stopped).stopped?.at).toBe(NOW);
      expect(EVENT_TYPES.filter((type) => takesEvent(only(stopped), type))).toEqual([]);
      const enabled = only(withEnabled(stopped, 'one', NOW + 1));
      expect(enabled).toEqual({ ...endpoint, resumed: { at: NOW + 1, missedFrom: NOW } });
      expect(withEnabled([enabled], 'one', NOW + 2)).toEqual([enabled]);
    }
  });

  // docs/decisions.md, "Webhooks"
  it('may be called with the news of keys and with tests alone', () => {
    const stopped = only(pausedAt(NOW));

    expect(EVENT_TYPES.filter((type) => mayBeCalled(stopped, type))).toEqual([
      'api_key.created',
      'vendor_key.changed',
      'webhook_endpoint.test',
    ]);
    expect(EVENT_TYPES.every((type) => mayBeCalled(endpoint, type))).toBe(true);
  });

  it('missed the events since four days before it failed, but none from before it was added', () => {
    const old = { ...endpoint, createdAt: NOW - 30 * DAY_MS };
    const failingSince = NOW - 5 * DAY_MS;
    const paused = withPaused([old], 'one', { now: NOW, failingSince });
    const disabled = withDisabled(paused, 'one', NOW + 1);

    for (const stopped of [paused, disabled])
      expect(only(withEnabled(stopped, 'one', NOW + 2)).resumed).toEqual({
        at: NOW + 2,
        missedFrom: failingSince - 4 * DAY_MS,
      });
    expect(only(withDisabled([old], 'one', NOW)).stopped?.missedFrom).toBe(NOW - 4 * DAY_MS);
    expect(only(pausedAt(NOW)).stopped?.missedFrom).toBe(NOW);
  });

  it('has missed what came since its stop, in a row from before', () => {
    const former = { ...endpoint, stopped: { as: 'DISABLED' as const, at: NOW + 5 } };

    expect(only(withEnabled([former], 'one', NOW + 9)).resumed).toEqual({ at: NOW + 9, missedFrom: NOW + 5 });
  });

  it('stays disabled when the service would pause it, and stays paused since the first pause', () => {
    const disabled = withDisabled([endpoint], 'one', NOW);
    const later = { now: NOW + 1, failingSince: NOW };
    expect(withPaused(disabled, 'one', later)).toBe(disabled);
    const paused = pausedAt(NOW);
    expect(withPaused(paused, 'one', later)).toBe(paused);
    expect(endpointStatus(only(withDisabled(paused, 'one', NOW + 1)))).toBe('DISABLED');
  });

  it('is refused if it does not exist', () => {
    const pause = (...[all, id, now]: Parameters<typeof withDisabled>) =>
      withPaused(all, id, { now, failingSince: now });
    for (const change of [withDisabled, pause, withEnabled])
      expect(() => change([endpoint], 'two', NOW)).toThrow(refused('WEBHOOK_ENDPOINT_NOT_FOUND'));
    expect(() => withEdited([endpoint], 'two', { now: NOW })).toThrow(refused('WEBHOOK_ENDPOINT_NOT_FOUND'));
  });
});

describe('an endpoint with a filter', () => {
  const endpoint: WebhookEndpoint = {
    id: 'one',
    url: 'https://partner.example/one',
    secretCipher: 'cipher',
    createdAt: NOW,
  };

  it('takes the types of its filter, and the events about the account', () => {
    fc.assert(
      fc.property(fc.subarray([...FILTERED_TYPES], { minLength: 1 }), (eventTypes) => {
        const [edited] = withEdited([endpoint], 'one', { now: NOW, eventTypes });
        const accountTypes = EVENT_TYPES.filter((type) => !/^(transaction|kyc)\./.test(type));
        const taken = EVENT_TYPES.filter((type) => takesEvent(edited!, type));
        expect(new Set(taken)).toEqual(new Set([...eventTypes, ...accountTypes]));
      }),
    );
  });

  it('takes every type without a filter, and again after the filter is emptied', () => {
    const filtered = withEdited([endpoint], 'one', { now: NOW, eventTypes: ['kyc.approved'] });
    const [emptied] = withEdited(filtered, 'one', { now: NOW, eventTypes: [] });
    expect(emptied).toEqual(endpoint);
    expect(EVENT_TYPES.every((type) => takesEvent(emptied!, type))).toBe(true);
  });

  it('keeps the fields that an edit does not name', () => {
    const filtered = withEdited([endpoint], 'one', { now: NOW, eventTypes: ['kyc.approved'] });
    const [moved] = withEdited(filtered, 'one', { now: NOW, url: 'https://partner.example/two' });
    expect(moved).toEqual({ ...filtered[0], url: 'https://partner.example/two' });
  });

  it('names each type once, and forgets a description that is emptied', () => {
    const described = { now: NOW, description: 'books', eventTypes: FILTERED_TYPES.slice(0, 1) };
    const twice = { ...described, eventTypes: [...described.eventTypes, ...described.eventTypes] };

    const edited = withEdited([endpoint], 'one', twice);

    const { now: _, ...kept } = described;
    expect(edited).toEqual([{ ...endpoint, ...kept }]);
    const emptied = { now: NOW, description: '', eventTypes: [] };
    expect(withEdited(edited, 'one', emptied)).toEqual([endpoint]);
  });

  it('is disabled and enabled by an edit, and keeps the time of the first stop', () => {
    const disabled = withEdited([endpoint], 'one', { now: NOW, enabled: false });
    const again = withEdited(disabled, 'one', { now: NOW + 1, enabled: false });

    expect(disabled).toEqual([{ ...endpoint, stopped: { as: 'DISABLED', at: NOW, missedFrom: NOW } }]);
    expect(again).toEqual(disabled);
    const resumed = { at: NOW + 2, missedFrom: NOW };
    expect(withEdited(again, 'one', { now: NOW + 2, enabled: true })).toEqual([{ ...endpoint, resumed }]);
  });
});
