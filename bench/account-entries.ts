/** Measures account entries with the sandbox bank: time to first byte, cost per entry, memory. */
import { bic, organizationNumber, userId } from '../contract/examples/demo-fixture.ts'
import { openSandboxBankControl } from '../gateway/testing/banks/sandbox-bank-control.ts'
import { acceptedConsent } from '../gateway/testing/payments/sample-payments.ts'
import { measurementOnHavn } from './bench-part.ts'
import { partnerHeaders } from './environment/initiation-client.ts'
import { gatewayPeakMemoryMegabytes } from './environment/process-usage.ts'
import { type RunningHavn, todayOf } from './environment/running-havn.ts'
import { callsByOperation } from './environment/sandbox-bank.ts'
import { atMost, line } from './figures.ts'

/** How many entries a year has on three accounts of the demo company, fewest first. */
export const accountEntries = measurementOnHavn<readonly number[]>(
  { full: [1_000, 10_000, 100_000], short: [20, 100, 200] },
  measure,
)

/** A list, read completely. */
type EntryList = {
  readonly entries: number
  readonly enriched: number
  /** From the request to the first byte of the body; includes the bank's first page. */
  readonly firstByteMilliseconds: number
  readonly milliseconds: number
  readonly megabytes: number
  readonly pages: number
}

const ACCOUNTS = ['80501100033', '80501100041', '80501100017'] as const
const DAYS = 365
const BYTES_PER_MEGABYTE = 1_000_000

async function measure(havn: RunningHavn, counts: readonly number[]): Promise<readonly string[]> {
  const consented = await acceptedConsent(havn, userId, { bic, organizationNumber })
  const { accounts } = await havn.client.listAccounts(consented)
  const control = openSandboxBankControl({ pagesUrl: havn.bankUrl })
  const read = await openReader(havn, consented.consentId)
  const idOf = (number: string) => accounts.find(({ bban }) => bban === number)?.id ?? ''
  const before = await gatewayPeakMemoryMegabytes(havn.supervisorPid)
  const lists: EntryList[] = []
  for (const [n, number] of ACCOUNTS.entries()) {
    const count = counts[n] ?? 0
    // Some accounts have fixture entries.
    const { entries } = await read(idOf(number))
    await control.postControl(`/accounts/${number}/entries/generate`, { count, days: DAYS })
    lists.push(requireAll(await read(idOf(number)), count + entries))
  }
  const longest = lists.at(-1)
  const callsBefore = await callsOf(havn, 'getTransactionDetails')
  const extended = requireAll(await read(idOf(ACCOUNTS[2]), '/extended'), longest?.entries)
  const detailCalls = (await callsOf(havn, 'getTransactionDetails')) - callsBefore
  const after = await gatewayPeakMemoryMegabytes(havn.supervisorPid)
  const enriched = `${extended.enriched} of ${extended.entries} entries enriched (${((100 * extended.enriched) / extended.entries).toFixed(1)} %)`
  return [
    'Account entries of a year, read to the end at the sandbox bank:',
    ...lists.map(listLine),
    // A list a tenth as long; requests dominate short lists.
    line(
      'cost per entry, relative to the next list',
      atMost(costOf(longest) / costOf(lists.at(-2)), 1.2, { unit: ' times', decimals: 2 }),
    ),
    line(
      "first byte, including the bank's first page",
      atMost(longest?.firstByteMilliseconds ?? Number.NaN, 1_000, { unit: ' ms' }),
    ),
    line('gateway peak memory', atMost(after, 250, { unit: ' MB', beside: `, ${before.toFixed(0)} MB before it` })),
    `  extended: ${detailCalls} calls for details, ${enriched}, ${(extended.milliseconds / 1000).toFixed(1)} s`,
  ]
}

/** Figures of a list with missing or duplicate entries would be invalid. */
function requireAll(list: EntryList, count: number | undefined): EntryList {
  if (list.entries !== count) {
    throw new Error(`${list.entries} entries were read of ${count}`)
  }
  return list
}

/** Creates the reader of a year of an account, which counts entries without storing them. */
async function openReader(
  havn: RunningHavn,
  consentId: string,
): Promise<(id: string, behind?: string) => Promise<EntryList>> {
  const to = await todayOf(havn)
  const days = `fromDate=${to.subtract({ days: DAYS - 1 })}&toDate=${to}`
  const headers = await partnerHeaders(havn.client, consentId)
  return async (id, behind = '') => {
    const before = await callsOf(havn, 'getTransactions')
    const began = performance.now()
    const response = await fetch(`${havn.url}/api/v2/accounts/${id}/entries${behind}?${days}`, { headers })
    const counted = await countIn(response, began)
    const milliseconds = performance.now() - began
    return { ...counted, milliseconds, pages: (await callsOf(havn, 'getTransactions')) - before }
  }
}

async function countIn(response: Response, began: number): Promise<Omit<EntryList, 'milliseconds' | 'pages'>> {
  if (response.status !== 200 || response.body === null) {
    throw new Error(`The entries request failed: ${await response.text()}`)
  }
  let firstByteMilliseconds = Number.NaN
  let [entries, enriched, bytes, rest] = [0, 0, 0, '']
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    firstByteMilliseconds = bytes === 0 ? performance.now() - began : firstByteMilliseconds
    bytes += Buffer.byteLength(part)
    rest += part
    // An entry that is split between two chunks is counted with the second.
    let counted = 0
    for (const { 0: found, 1: isEnriched, index } of rest.matchAll(/"enriched":(true|false)/g)) {
      entries += 1
      enriched += isEnriched === 'true' ? 1 : 0
      counted = index + found.length
    }
    rest = rest.slice(counted)
  }
  return { entries, enriched, firstByteMilliseconds, megabytes: bytes / BYTES_PER_MEGABYTE }
}

async function callsOf({ url }: RunningHavn, operation: string): Promise<number> {
  return (await callsByOperation(url, bic)).get(operation) ?? 0
}

function listLine(list: EntryList): string {
  const { entries, pages, megabytes, milliseconds } = list
  const size = `${pages} pages, ${megabytes.toFixed(1)} MB`
  return `  ${String(entries).padStart(7)} entries, ${size}: ${(milliseconds / 1000).toFixed(1)} s, ${costOf(list).toFixed(3)} ms each`
}

function costOf(list: EntryList | undefined): number {
  return list === undefined ? Number.NaN : list.milliseconds / list.entries
}
