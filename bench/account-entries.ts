/** Measures account entries with the sandbox bank: time to first byte, cost per entry, memory. */
import { bic, organizationNumber, userId } from '../contract/examples/demo-fixture.ts'
import { acceptedConsent } from '../gateway/testing/payments/sample-payments.ts'
import { measurementOf } from './bench-part.ts'
import { partnerHeaders } from './environment/initiation-client.ts'
import { gatewayPeakMemoryMegabytes } from './environment/process-usage.ts'
import { type RunningHavn, todayOf } from './environment/running-havn.ts'
import { callsByOperation } from './environment/sandbox-bank.ts'
import { barResult } from './figures.ts'

/** How many entries a year has on three accounts of the demo company, fewest first. */
type EntriesPlan = { readonly counts: readonly [number, number, number] }

export const accountEntries = measurementOf<EntriesPlan, EntriesFigures>({
  full: { counts: [1_000, 10_000, 100_000] },
  short: { counts: [20, 100, 200] },
  measure: (onHavn, plan) => onHavn((havn) => measure(havn, plan)),
  lines,
})

/** One list, read completely. */
type ListFigures = {
  readonly entries: number
  /** From the request to the first byte of the body; includes the bank's first page. */
  readonly firstByteMilliseconds: number
  readonly wholeMilliseconds: number
  readonly megabytes: number
  readonly pages: number
}

type EntriesFigures = {
  readonly lists: readonly ListFigures[]
  /** The gateway's, before the first list and after the last, extended one. */
  readonly peakMegabytes: { readonly before: number; readonly after: number }
  /** Of the longest list, extended. */
  readonly extended: ListFigures & { readonly detailCalls: number; readonly enriched: number }
}

const ACCOUNTS = ['80501100033', '80501100041', '80501100017']
const DAYS = 365
const BYTES_PER_MEGABYTE = 1_000_000
const LIST = 'getTransactions'
const DETAILS = 'getTransactionDetails'

async function measure(havn: RunningHavn, { counts }: EntriesPlan): Promise<EntriesFigures> {
  const consented = await acceptedConsent(havn, userId, { bic, organizationNumber })
  const { accounts } = await havn.client.listAccounts(consented)
  const idOf = (number: string | undefined) => accounts.find(({ bban }) => bban === number)?.id ?? ''
  const reader = await openReader(havn, consented.consentId)
  const before = await gatewayPeakMemoryMegabytes(havn.supervisorPid)
  const lists: ListFigures[] = []
  let expected = 0
  for (const [n, count] of counts.entries()) {
    // Some accounts have fixture entries.
    expected = count + (await reader(idOf(ACCOUNTS[n]), '')).entries
    await generate(havn, ACCOUNTS[n] ?? '', count)
    lists.push(requireAll(await reader(idOf(ACCOUNTS[n]), ''), expected))
  }
  const callsBefore = await callsOf(havn, bic, DETAILS)
  const extended = requireAll(await reader(idOf(ACCOUNTS.at(-1)), '/extended'), expected)
  const detailCalls = (await callsOf(havn, bic, DETAILS)) - callsBefore
  const peakMegabytes = { before, after: await gatewayPeakMemoryMegabytes(havn.supervisorPid) }
  return { lists, peakMegabytes, extended: { ...extended, detailCalls } }
}

async function generate({ bankUrl }: RunningHavn, number: string, count: number): Promise<void> {
  const response = await fetch(`${bankUrl}/control/accounts/${number}/entries/generate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ count, days: DAYS }),
  })
  if (!response.ok) {
    throw new Error(`The bank made no entries: ${await response.text()}`)
  }
}

/** Figures of a list with missing or duplicate entries would be invalid. */
function requireAll(read: Read, count: number): Read {
  if (read.entries !== count) {
    throw new Error(`${read.entries} entries were read of ${count}`)
  }
  return read
}

type Read = ListFigures & { readonly enriched: number }

/** Creates the reader of a year of an account, which counts entries without storing them. */
async function openReader(
  havn: RunningHavn,
  consentId: string,
): Promise<(id: string, behind: string) => Promise<Read>> {
  const to = await todayOf(havn)
  const days = `fromDate=${to.subtract({ days: DAYS - 1 })}&toDate=${to}`
  const headers = await partnerHeaders(havn.client, consentId)
  return async (id, behind) => {
    const before = await callsOf(havn, bic, LIST)
    const began = performance.now()
    const response = await fetch(`${havn.url}/api/v2/accounts/${id}/entries${behind}?${days}`, { headers })
    const counted = await countIn(response, began)
    const pages = (await callsOf(havn, bic, LIST)) - before
    return { ...counted, wholeMilliseconds: performance.now() - began, pages }
  }
}

/** An entry that is split between two chunks is counted with the second. */
async function countIn(response: Response, began: number): Promise<Omit<Read, 'wholeMilliseconds' | 'pages'>> {
  if (response.status !== 200 || response.body === null) {
    throw new Error(`The entries request failed: ${await response.text()}`)
  }
  let firstByteMilliseconds = Number.NaN
  let [entries, enriched, bytes, rest] = [0, 0, 0, '']
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    firstByteMilliseconds = bytes === 0 ? performance.now() - began : firstByteMilliseconds
    bytes += Buffer.byteLength(part)
    const text = rest + part
    const whole = text.lastIndexOf('"enriched":') - 1
    const counted = whole < 0 ? '' : text.slice(0, whole)
    entries += counted.split('"enriched":').length - 1
    enriched += counted.split('"enriched":true').length - 1
    rest = whole < 0 ? text : text.slice(whole)
  }
  entries += rest.split('"enriched":').length - 1
  enriched += rest.split('"enriched":true').length - 1
  return { entries, enriched, firstByteMilliseconds, megabytes: bytes / BYTES_PER_MEGABYTE }
}

async function callsOf({ url }: RunningHavn, bic: string, operation: string): Promise<number> {
  return (await callsByOperation(`${url}/metrics`, bic)).get(operation) ?? 0
}

const FIRST_BYTE_MAX_MILLISECONDS = 1_000
const MEMORY_MAX_MEGABYTES = 250
/** Maximum cost per entry of the longest list, relative to a list a tenth as long; requests dominate short lists. */
const COST_RATIO_MAX = 1.2

function lines({ lists, peakMegabytes, extended }: EntriesFigures): readonly string[] {
  const longest = lists.at(-1)
  const ratio = costOf(longest) / costOf(lists.at(-2))
  const first = longest?.firstByteMilliseconds ?? Number.NaN
  const { detailCalls, enriched, entries } = extended
  const { before, after } = peakMegabytes
  return [
    'Account entries of a year, read to the end at the sandbox bank:',
    ...lists.map(listLine),
    `  cost per entry, relative to the next list ${ratio.toFixed(2)} times (bar: at most ${COST_RATIO_MAX}) ${barResult(ratio <= COST_RATIO_MAX)}`,
    `  first byte, including the bank's first page ${first.toFixed(0)} ms (bar: at most ${FIRST_BYTE_MAX_MILLISECONDS} ms after that page) ${barResult(first <= FIRST_BYTE_MAX_MILLISECONDS)}`,
    `  gateway peak memory ${after.toFixed(0)} MB, ${before.toFixed(0)} MB before it (bar: at most ${MEMORY_MAX_MEGABYTES} MB) ${barResult(after <= MEMORY_MAX_MEGABYTES)}`,
    `  extended: ${detailCalls} calls for details, ${enriched} of ${entries} entries enriched (${((100 * enriched) / entries).toFixed(1)} %), ${(extended.wholeMilliseconds / 1000).toFixed(1)} s`,
  ]
}

function listLine(list: ListFigures): string {
  const { entries, pages, megabytes, wholeMilliseconds } = list
  const seconds = (wholeMilliseconds / 1000).toFixed(1)
  const size = `${pages} pages, ${megabytes.toFixed(1)} MB`
  return `  ${String(entries).padStart(7)} entries, ${size}: ${seconds} s, ${costOf(list).toFixed(3)} ms each`
}

function costOf(list: ListFigures | undefined): number {
  return list === undefined ? Number.NaN : list.wholeMilliseconds / list.entries
}
