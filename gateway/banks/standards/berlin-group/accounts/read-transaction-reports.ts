/** Reads a bank's reports of entries to their end: from page to page, or from where they are to be downloaded. */

import { BankRefusal, BankUnreachable } from '../../../connector/bank-error.ts'
import type { BankCaller, RequestMaker } from '../../../connector/connector.ts'
import type { BankStreamed } from '../../../connector/connector-dependencies.ts'
import { ownAddressOf } from '../../../transport/bank-urls.ts'
import type { Line } from '../transport/bank-client.ts'
import { errorsOf, refusalOfSilence, refusalOfUnreadable } from '../transport/bank-errors.ts'
import { deliver, type Question, requireAccepted } from '../transport/send-request.ts'
import { type ScannedEntry, scanReport, UnreadableReport } from './transaction-report-scanner.ts'
import { readReportShell } from './wire-accounts.ts'

/** 100 000 entries at ten a page. */
const PAGES_MAX = 10_000
/** Times that a report is looked for before its bank has not made it. */
const DOWNLOAD_LOOKS_MAX = 30
/** How long a bank is given to get a report ready, unless it says for how long. */
const DOWNLOAD_WAIT_SECONDS = 2
const DOWNLOAD_WAIT_SECONDS_MAX = 30

/** Larger answers are handed on in pieces of about this size. */
const ENTRIES_AT_ONCE = 500
const BYTES_AT_ONCE = 256 * 1024

const ACCEPTED = 202
const NO_CONTENT = 204
const NOT_FOUND = 404

/** How a report is asked for: whose it is, and who makes each of the requests that it takes. */
export type ReportWay = { readonly line: Line; readonly caller: BankCaller; readonly each: RequestMaker }

/** Where a report goes on: at its next page, or where the whole of it lies. */
type Onwards = { readonly url: string; readonly isDownload: boolean }

/**
 * The entries in the bank's order, as many at once as its answer brings. Every link leads to the bank's own interface, and
 * none twice. Whoever leaves off has the bank stop.
 */
export async function* readReports(way: ReportWay, first: Question): AsyncGenerator<readonly ScannedEntry[]> {
  const followed = new Set<string>()
  let question = first
  let isDownload = false
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const answer: BankStreamed = isDownload ? await download(way, question) : await open(way, question)
    if (page === 1 && answer.status === NO_CONTENT) {
      return
    }
    const onwards: Onwards | undefined = yield* readReport(way.caller, answer, question)
    if (onwards === undefined) {
      return
    }
    if (followed.has(onwards.url)) {
      throw new BankRefusal('unavailable', 'The bank’s list of entries leads back to a page of its own')
    }
    followed.add(onwards.url)
    question = { ...first, url: onwards.url }
    isDownload = onwards.isDownload
  }
  throw new BankRefusal('unavailable', `The bank's list of entries is longer than ${PAGES_MAX} pages`)
}

/** A refusal is the request's own: whoever makes it may make it once more. */
async function open({ line, each }: ReportWay, question: Question): Promise<BankStreamed> {
  return await each(async (caller) => {
    const answer = await deliver(line.stream, caller, question)
    requireAccepted(question, answer)
    return answer
  })
}

/** Asks until the report is ready: until then it is accepted, or not found without the standard's word that it never was. */
async function download({ line, each }: ReportWay, question: Question): Promise<BankStreamed> {
  for (let look = 1; look <= DOWNLOAD_LOOKS_MAX; look += 1) {
    const answer = await each(async (caller) => {
      const looked = await deliver(line.stream, caller, question)
      if (!isAwaited(looked)) {
        requireAccepted(question, looked)
      }
      return looked
    })
    if (!isAwaited(answer)) {
      return answer
    }
    await line.wait(waitOf(answer) * 1_000)
  }
  throw new BankRefusal('unavailable', `The bank has not made its report in ${DOWNLOAD_LOOKS_MAX} looks`)
}

function isAwaited({ status, body }: BankStreamed): boolean {
  return status === ACCEPTED || (status === NOT_FOUND && errorsOf(body).length === 0)
}

function waitOf({ headers }: BankStreamed): number {
  const seconds = Number(headers['retry-after'] ?? DOWNLOAD_WAIT_SECONDS)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), DOWNLOAD_WAIT_SECONDS_MAX) : DOWNLOAD_WAIT_SECONDS
}

async function* readReport(
  caller: BankCaller,
  answer: BankStreamed,
  question: Question,
): AsyncGenerator<readonly ScannedEntry[], Onwards | undefined> {
  const scanner = scanReport()
  try {
    let ready: ScannedEntry[] = []
    let bytes = 0
    for await (const part of answer.parts) {
      ready.push(...scanner.take(part))
      bytes += part.length
      if (ready.length >= ENTRIES_AT_ONCE || (ready.length > 0 && bytes >= BYTES_AT_ONCE)) {
        yield ready
        ready = []
        bytes = 0
      }
    }
    const onwards = onwardsOf(caller, scanner.end(), question)
    yield ready
    return onwards
  } catch (error) {
    if (error instanceof BankUnreachable) {
      throw refusalOfSilence(question.purpose, error)
    }
    throw error instanceof UnreadableReport ? refusalOfUnreadable(question.purpose, answer) : error
  }
}

function onwardsOf(caller: BankCaller, shell: unknown, question: Question): Onwards | undefined {
  const report = readReportShell(shell)
  const download = report?._links?.download
  if (report === undefined || (report.transactions === undefined && download === undefined)) {
    throw new UnreadableReport('The report is not of the standard’s shape')
  }
  const { booked, pending, _links } = report.transactions ?? {}
  const next = _links?.next ?? report._links?.next
  const isElsewhere = booked === undefined && pending === undefined
  const link = next ?? (isElsewhere ? download : undefined)
  return link === undefined
    ? undefined
    : { url: addressFrom(caller, question, link.href), isDownload: next === undefined }
}

/** Links without a host lead to the bank's own, those without a path to the page that they stand on. */
function addressFrom({ bank }: BankCaller, { url, path }: Question, href: string): string {
  const here = url ?? `${bank.address}/v1${path}`
  return ownAddressOf(bank, URL.parse(href, here)?.href ?? href)
}
