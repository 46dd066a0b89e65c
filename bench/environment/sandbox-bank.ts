/** Reads what the sandbox bank has received, and waits until it has caught up. */
import { setTimeout as pause } from 'node:timers/promises'
import { waitUntil } from '../../launcher/processes.ts'
import type { Initiate } from './initiation-client.ts'
import type { StubBank } from './stub-bank.ts'

/** Calls per operation of the standard since the program began. */
export type CallsByOperation = ReadonlyMap<string, number>

const COUNTS = 'havn_bank_call_seconds_count'

/** By the metrics of the gateway or the worker at this URL. */
export async function callsByOperation(url: string, bic: string): Promise<CallsByOperation> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const counted = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line.startsWith(COUNTS) && line.includes(`bank="${bic}"`)) {
      const operation = /operation="([^"]*)"/.exec(line)?.[1] ?? ''
      counted.set(operation, (counted.get(operation) ?? 0) + Number(line.split(' ').at(-1)))
    }
  }
  return counted
}

/** All calls, or those of the given operations. */
export function sumOf(calls: CallsByOperation, isMeant: (operation: string) => boolean = () => true): number {
  return [...calls].reduce((sum, [operation, count]) => sum + (isMeant(operation) ? count : 0), 0)
}

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
