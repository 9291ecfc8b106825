import { describe, expect, it } from 'vitest';
import { excerptOf } from '../../functions/domain/partners/excerpt.ts';

describe('the excerpt of an answer', () => {
  it.each<[string, string, string | undefined]>([
    ['is the answer, if it is short', '{"ok":true}', '{"ok":true}'],
    ['is one line', '<html>\r\n\t<body>down', '<html> <body>down'],
    ['has no escapes of a terminal', '\u001b[31mred\u001b[0m', '[31mred [0m'],
    ['has no control characters, also of other planes', 'a\u0000b\u0085c\u{e0001}d', 'a b c d'],
    ['has no marks that turn the direction of a text', 'a\u202eb\u2066c', 'a b c'],
    ['has no half characters', 'a\ud800b\ufffd', 'a b'],
    ['is absent for an empty answer', ' \n ', undefined],
  ])('%s', (_, answer, excerpt) => {
    expect(excerptOf(answer)).toBe(excerpt);
  });

  it('has at most 200 characters, each whole', () => {
    expect(excerptOf('x'.repeat(1000))).toHaveLength(200);
    expect([...excerptOf('😀'.repeat(300))!]).toEqual(Array(200).fill('😀'));
  });
});
