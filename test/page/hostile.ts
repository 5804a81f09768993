import fc from 'fast-check';

/** Any text at all, halves of characters and controls too; half of it ASCII, where the dangerous ones are. */
export const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff })), { maxLength: 60 })
  .map((codes) => String.fromCharCode(...codes));
