/** Waits until a gateway calls the stub bank: it may use the bank's old address for some seconds. */
import { waitUntil } from '../../launcher/processes.ts'
import type { Initiate } from './initiation-client.ts'
import type { StubBank } from './stub-bank.ts'

const MOVE_TIMEOUT_MILLISECONDS = 20_000

export async function waitUntilBankMoved(initiate: Initiate, stub: StubBank): Promise<void> {
  const before = stub.orders()
  const reached = await waitUntil(async () => {
    await initiate()
    return stub.orders() > before
  }, MOVE_TIMEOUT_MILLISECONDS)
  if (!reached) {
    throw new Error('The gateway did not notice that the bank has moved')
  }
}
