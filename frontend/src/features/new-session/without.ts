/** What of the first is not the same in the other. */
export function without<T extends object>(some: T, others: Partial<T>): Partial<T> {
  return Object.fromEntries(
    Object.entries(some).filter(([name, one]) => others[name as keyof T] !== one),
  ) as Partial<T>;
}
