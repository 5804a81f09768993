/** So many at once: a browser's file system answers slowly, and holds every answer in memory. */
const AT_ONCE = 16;

/** Does the work for each item, some at the same time. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
