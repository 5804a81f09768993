declare module 'murmurhash3js-revisited' {
  const murmur: { inputValidation: boolean; x86: { hash32(bytes: Uint8Array, seed?: number): number } };
  export default murmur;
}
