import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare } from './values.ts';

test('Texts are ordered by their bytes in UTF-8', () => {
  // A letter of the last plane comes after one of the private area, though its UTF-16 units come before.
  const text = fc.string({ unit: fc.constantFrom('a', 'Z', 'é', '\uffee', '\ue000', '😀', '\u{10ffff}') });

  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(compare(left, right)).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)));
    }),
  );
});
