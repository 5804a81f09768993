/** How many hostile documents each reader is given; CASES=100000 is the long run. */
export const CASES = Number(process.env.CASES ?? 1000);
