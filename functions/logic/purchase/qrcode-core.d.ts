/**
 * The part of the library that computes QR codes, without the parts that draw them. Once bundled, it has only a default
 * export.
 */
declare module 'qrcode/lib/core/qrcode.js' {
  const core: { create: typeof import('qrcode').create };
  export = core;
}
