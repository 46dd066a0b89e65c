/** Moves the sandbox clock and waits until it has arrived, however many steps become due on the way. */
import type { HavnClient } from './client.ts'
import type { ClockMove, SandboxClock } from './generated/api-types.ts'
import { platformRuntime } from './runtime.ts'

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
    await platformRuntime.wait(POLL_MILLISECONDS, undefined)
    clock = await havn.getSandboxClock()
  }
  if (movingTo !== undefined && Date.parse(clock.now) < Date.parse(movingTo)) {
    throw new Error(`The clock was to be moved to ${movingTo}, and the move ended at ${clock.now}`)
  }
  return clock
}
