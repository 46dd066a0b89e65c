/** Measures elapsed time, independent of changes to the system clock. */

/** Milliseconds since an arbitrary moment; tests supply their own. */
export type MonotonicClock = () => number

export const monotonicClock: MonotonicClock = () => performance.now()
