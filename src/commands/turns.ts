/** Begins what it is given, at once or as soon as there is room. */
export type Turns = <T>(begin: () => Promise<T>) => Promise<T>;

/** No more than so many at a time; the others wait in the order in which they came. */
export function turns(most: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (begin) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await begin();
    } finally {
      // whoever is next takes the place over
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
