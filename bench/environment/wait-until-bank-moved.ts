/** Waits until a gateway calls the stub bank: it may use the bank's old address for some seconds. */
import { setTimeout as pause } from 'node:timers/promises'
import { waitUntil } from '../../launcher/processes.ts'
import type { Initiate } from './initiation-client.ts'
import type { StubBank } from './stub-bank.ts'

/** Each attempt is a whole order at the sandbox's bank. */
const ATTEMPT_EVERY_MILLISECONDS = 250
const MOVE_TIMEOUT_MILLISECONDS = 20_000

export async function waitUntilBankMoved(initiate: Initiate, stub: StubBank): Promise<void> {
  const before = stub.orders()
  const reached = await waitUntil(async () => {
    await pause(ATTEMPT_EVERY_MILLISECONDS)
    await initiate()
    return stub.orders() > before
  }, MOVE_TIMEOUT_MILLISECONDS)
  if (!reached) {
    throw new Error('The gateway did not notice that the bank has moved')
  }
}
