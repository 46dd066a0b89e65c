/** Reads the number of bank calls from a program's metrics. */

/** Calls per operation of the standard since the program began. */
export type CallsByOperation = ReadonlyMap<string, number>

const COUNTS = 'havn_bank_call_seconds_count'

/** Reads the metrics of the gateway or the worker at this address, `/metrics` included. */
export async function callsByOperation(metricsUrl: string, bic: string): Promise<CallsByOperation> {
  const text = await (await fetch(metricsUrl)).text()
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
