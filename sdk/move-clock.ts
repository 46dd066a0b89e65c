/** Moves the sandbox clock and waits until it has arrived, however many steps become due on the way. */
import { setTimeout } from 'node:timers/promises'
import type { ClockMove, SandboxClock } from '../contract/sandbox/sandbox-clock.ts'
import type { HavnClient } from './client.ts'

const POLL_MILLISECONDS = 500

/** Returns the clock once the move has ended; `onProgress` is called with each reading until then. */
export async function moveClock(
  havn: Pick<HavnClient, 'moveSandboxClock' | 'getSandboxClock'>,
  move: ClockMove,
  onProgress: (clock: SandboxClock) => void = () => undefined,
): Promise<SandboxClock> {
  let clock = await havn.moveSandboxClock({ body: move })
  const { movingTo } = clock
  while (clock.movingTo !== undefined) {
    onProgress(clock)
    await setTimeout(POLL_MILLISECONDS)
    clock = await havn.getSandboxClock()
  }
  if (movingTo !== undefined && Temporal.Instant.compare(clock.now, movingTo) < 0) {
    throw new Error(`The clock was to be moved to ${movingTo}, and the move ended at ${clock.now}`)
  }
  return clock
}
