import { describe, expect, test } from 'vitest';
import { isReturnUrl, requireListed, returnAddress } from '../../functions/domain/purchase/return-url.ts';

// docs/decisions.md, "The liveness check"
describe('an address of return', () => {
  test.each([
    'https://shop.example',
    'https://shop.example/',
    'https://shop.example/back',
    'https://shop.example/back/to?order=1&x=%20y',
    'https://shop.example?order=1',
    'https://xn--bcher-kva.example/back',
    'https://localhost/back',
  ])('may be %s', (text) => {
    expect(isReturnUrl(text)).toBe(true);
  });

  test.each([
    '',
    'shop.example',
    '//shop.example/back',
    'http://shop.example/back',
    'HTTPS://shop.example/back',
    'javascript:alert(1)',
    'javascript://shop.example/%0aalert(1)',
    'data:text/html,x',
    'https:shop.example',
    'https:/shop.example',
    'https:///shop.example',
    'https:\\\\shop.example',
    'https://user@shop.example/',
    'https://user:word@shop.example/',
    'https://shop.example@evil.example/',
    'https://evil.example\\@shop.example/',
    'https://evil.example\\.shop.example/',
    'https://shop.example:8443/',
    'https://shop.example:443/',
    'https://SHOP.example/',
    'https://sh%6fp.example/',
    'https://shop.example%2eevil.example/',
    'https://shop。example/',
    'https://bücher.example/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://shop.example/#back',
    'https://shop.example#@evil.example/',
    'https://shop.example/back\n',
    'https://shop.example/ back',
    'https://shop\t.example/back',
    ' https://shop.example/',
    'https://shop.example/"><script>',
    'https://',
    'https://?x',
  ])('may not be %j', (text) => {
    expect(isReturnUrl(text)).toBe(false);
  });

  test('must have a host that the partner has listed, exactly', () => {
    const hosts = ['shop.example', 'other.example'];
    const refused = {
      code: 'INVALID_REQUEST',
      details: { issues: [expect.objectContaining({ path: 'returnUrl' })] },
    };
    const askFor = (url: string, listed?: string[]) => () => requireListed(url, listed);

    expect(askFor('https://shop.example/back?to=https://evil.example', hosts)).not.toThrow();
    expect(() => requireListed(undefined)).not.toThrow();
    for (const host of [
      'evil.example',
      'shop.example.evil.example',
      'a.shop.example',
      'xshop.example',
      'shop.example.',
    ])
      expect(askFor(`https://${host}/`, hosts)).toThrow(expect.objectContaining(refused));
    expect(askFor('https://shop.example/')).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });

  test('gets the purchase’s id, whatever the query had before', () => {
    expect(returnAddress('https://shop.example', 'T1')).toBe('https://shop.example/?transactionId=T1');
    expect(returnAddress('https://shop.example/a?transactionId=x&b=1&transactionId=y', 'T1')).toBe(
      'https://shop.example/a?transactionId=T1&b=1',
    );
  });
});
