/**
 * The part of the library that makes QR codes, without the parts that draw them. In a bundle it has a default export
 * only.
 */
declare module 'qrcode/lib/core/qrcode.js' {
  const core: { create: typeof import('qrcode').create };
  export = core;
}
