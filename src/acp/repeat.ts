/** Looking takes at most this part of the time. */
const SHARE = 1 / 20;

/** Looks again and again, at least `pace` milliseconds apart, until the function that it gives is called. */
export function repeat(look: () => Promise<void>, pace: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const wait = (time: number) => {
    timer = setTimeout(async () => {
      const from = performance.now();
      await look();
      if (!stopped) wait(Math.max(pace, (performance.now() - from) / SHARE));
    }, time).unref();
  };
  wait(pace);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
