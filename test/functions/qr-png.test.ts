import { inflateSync } from 'node:zlib';
import QRCode from 'qrcode';
import { describe, expect, it } from 'vitest';
import { qrCodeOf } from '../../functions/logic/purchase/totp.ts';

const TEXTS = ['otpauth://totp/Demo:stablecoin?secret=ABC', '00020126580014br.gov.bcb.pix'.repeat(8)];
const SIGNATURE_BYTES = 8;

/** Black and white pixels of a PNG without a filter in its rows, of 1 or of 32 bits a pixel. */
function pixelsOf(dataUri: string) {
  const png = Buffer.from(dataUri.replace('data:image/png;base64,', ''), 'base64');
  const chunks: Record<string, Buffer> = {};
  for (let at = SIGNATURE_BYTES; at < png.length; at += 12 + png.readUInt32BE(at)) {
    chunks[png.toString('latin1', at + 4, at + 8)] = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
  }
  return { chunks, size: chunks.IHDR!.readUInt32BE(0), bytes: inflateSync(chunks.IDAT!) };
}

describe('a QR code', () => {
  it.each(TEXTS)('has the modules of %s, four pixels each, in a quiet zone of four modules', async (text) => {
    const { modules } = QRCode.create(text);
    const { chunks, size, bytes } = pixelsOf(await qrCodeOf(text));

    expect(size).toBe((modules.size + 8) * 4);
    expect([...chunks.IHDR!.subarray(8)]).toEqual([1, 0, 0, 0, 0]);
    const rowBytes = 1 + Math.ceil(size / 8);
    for (let row = 0; row < size; row++) {
      expect(bytes[row * rowBytes], 'filter').toBe(0);
      for (let column = 0; column < size; column++) {
        const isWhite = (bytes[row * rowBytes + 1 + (column >> 3)]! >> (7 - (column & 7))) & 1;
        const [y, x] = [Math.floor(row / 4) - 4, Math.floor(column / 4) - 4];
        const isInside = y >= 0 && x >= 0 && y < modules.size && x < modules.size;
        const isDark = isInside && modules.get(y, x) === 1;
        if (isDark === (isWhite === 1)) throw new Error(`wrong pixel ${row} ${column}`);
      }
    }
  });

  it.each(TEXTS)('of %s has the size of the one that the library draws', async (text) => {
    const drawn = Buffer.from((await QRCode.toDataURL(text)).replace(/^[^,]*,/, ''), 'base64');

    expect(pixelsOf(await qrCodeOf(text)).size).toBe(drawn.readUInt32BE(16));
  });
});
