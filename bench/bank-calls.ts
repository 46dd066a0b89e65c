/** Reads from a gateway's metrics how often it called a bank. */

const COUNTS = 'havn_bank_call_seconds_count'

/** Calls of one operation of the standard since the gateway began. */
export async function callsOf(gatewayUrl: string, bic: string, operation: string): Promise<number> {
  const text = await (await fetch(`${gatewayUrl}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(COUNTS) && line.includes(`bank="${bic}"`))
    .filter((line) => line.includes(`operation="${operation}"`))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
