/** Tells how much time passes, unmoved by whoever sets the clock of the machine. */

/** Milliseconds since some moment; tests put their own in its place. */
export type MonotonicClock = () => number

export const monotonicClock: MonotonicClock = () => performance.now()
