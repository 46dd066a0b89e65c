/** Reads a bank's transaction reports completely, page by page or from a download link. */
import { readRetryAfter } from '../../../../platform/http/response-parser.ts'
import type { Deviation } from '../../../../platform/http/tolerant-reader.ts'
import { InvalidJsonError, JsonLimitError } from '../../../../platform/json/json-bytes.ts'
import { BYTES_PER_VALUE } from '../../../../platform/json/json-document.ts'
import { streamJson } from '../../../../platform/json/read-json.ts'
import { parseJson } from '../../../../platform/parse-json.ts'
import { BankError, BankUnreachable, UnreadableAnswerError } from '../../../connector/bank-error.ts'
import type { BankCaller, RequestExecutor } from '../../../connector/connector.ts'
import type { StreamedBankResponse } from '../../../connector/connector-dependencies.ts'
import { requireApiUrl } from '../../../transport/bank-urls.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { noAnswerError, parseBankErrors, requireSuccess, unreadableAnswerError } from '../transport/bank-errors.ts'
import { isKnownCode } from '../transport/error-kinds.ts'
import { type BerlinGroupRequest, sendRequest } from '../transport/send-request.ts'
import { parseReportShell } from './wire-accounts.ts'

/** 100 000 entries with ten per page. */
const PAGES_MAX = 10_000
/** Polls for a report before the read fails. */
const DOWNLOAD_POLLS_MAX = 30
/** Delay between polls, unless the bank sends one. */
const DOWNLOAD_WAIT_SECONDS = 2
const DOWNLOAD_WAIT_SECONDS_MAX = 30

const ACCEPTED = 202
const NO_CONTENT = 204
const NOT_FOUND = 404

/** How a report is requested: for which caller, and how each request is made. */
export type ReportContext = { readonly line: BankClient; readonly caller: BankCaller; readonly each: RequestExecutor }

/** The continuation of a report: its next page, or its download link. */
type NextReport = { readonly url: string; readonly isDownload: boolean }

/**
 * The entries in the bank's order, in batches as they arrive, and where a page ends before the next one. Links are
 * followed only to the bank's own API, and only once each. Ending the iteration closes the connection.
 */
export async function* readTransactionReports(
  way: ReportContext,
  first: BerlinGroupRequest,
): AsyncGenerator<readonly ReportEntry[] | 'next page'> {
  const followed = new Set<string>()
  let request = first
  let isDownload = false
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const answer: StreamedBankResponse = isDownload ? await download(way, request) : await open(way, request)
    if (page === 1 && answer.status === NO_CONTENT) {
      return
    }
    const onwards: NextReport | undefined = yield* readReport(way, answer, request)
    if (onwards === undefined) {
      return
    }
    if (followed.has(onwards.url)) {
      throw new UnreadableAnswerError('unavailable', 'The bank’s list of entries links back to an earlier page')
    }
    followed.add(onwards.url)
    request = { ...first, url: onwards.url }
    isDownload = onwards.isDownload
    yield 'next page'
  }
  throw new UnreadableAnswerError('unavailable', `The bank's list of entries is longer than ${PAGES_MAX} pages`)
}

/** Errors are thrown inside `each`, so that it may repeat the request. */
async function open({ line, each }: ReportContext, request: BerlinGroupRequest): Promise<StreamedBankResponse> {
  return await each(async (caller) => {
    const answer = await sendRequest(line.stream, caller, request)
    requireSuccess(request, answer)
    return answer
  })
}

/** Polls until the report is ready. Until then the bank answers 202, or 404 without a code of the standard. */
async function download({ line, each }: ReportContext, request: BerlinGroupRequest): Promise<StreamedBankResponse> {
  for (let poll = 1; poll <= DOWNLOAD_POLLS_MAX; poll += 1) {
    const answer = await each(async (caller) => {
      const polled = await sendRequest(line.stream, caller, request)
      if (!isNotReady(polled)) {
        requireSuccess(request, polled)
      }
      return polled
    })
    if (!isNotReady(answer)) {
      return answer
    }
    await line.wait(waitOf(answer) * 1_000)
  }
  throw new BankError('unavailable', `The bank has not provided its report after ${DOWNLOAD_POLLS_MAX} polls`)
}

function isNotReady({ status, body }: StreamedBankResponse): boolean {
  return status === ACCEPTED || (status === NOT_FOUND && !parseBankErrors(body).some(({ code }) => isKnownCode(code)))
}

function waitOf({ headers }: StreamedBankResponse): number {
  const seconds = readRetryAfter(headers).seconds ?? DOWNLOAD_WAIT_SECONDS
  return Math.min(Math.max(seconds, 1), DOWNLOAD_WAIT_SECONDS_MAX)
}

async function* readReport(
  way: ReportContext,
  answer: StreamedBankResponse,
  request: BerlinGroupRequest,
): AsyncGenerator<readonly ReportEntry[], NextReport | undefined> {
  try {
    const shell = yield* readReportEntries(answer.parts)
    return nextReportOf(way, shell, request)
  } catch (error) {
    if (error instanceof BankUnreachable) {
      throw noAnswerError(request.purpose, error)
    }
    throw error instanceof UnreadableReport ? unreadableAnswerError(request.purpose, answer) : error
  }
}

/** A link to the next page that cannot be read, alone or with all other links, is no end of the list. */
const NEXT_PAGE = /_links(\.next\b|$)/

function nextReportOf(
  { line, caller }: ReportContext,
  shell: unknown,
  request: BerlinGroupRequest,
): NextReport | undefined {
  const deviations: Deviation[] = []
  const report = parseReportShell(shell, (deviation) => deviations.push(deviation))
  if (deviations.length > 0) {
    line.observeDeviations({ bank: caller.bank.bic, operation: request.operation }, deviations)
  }
  const [links] = [report?._links ?? []].flat()
  const download = links?.download
  const isCut = deviations.some(({ path }) => NEXT_PAGE.test(path))
  if (report === undefined || isCut || (report.transactions === undefined && download === undefined)) {
    throw new UnreadableReport('The report does not match the standard')
  }
  const { booked, pending, _links = [] } = report.transactions ?? {}
  const next = [_links].flat()[0]?.next ?? links?.next
  const isElsewhere = booked === undefined && pending === undefined
  const link = next ?? (isElsewhere ? download : undefined)
  return link === undefined
    ? undefined
    : { url: addressFrom(caller, request, link.href), isDownload: next === undefined }
}

/** Links without a host are relative to the bank's, those without a path to their page. */
function addressFrom({ bank }: BankCaller, { url, path }: BerlinGroupRequest, href: string): string {
  const here = url ?? `${bank.address}/v1${path}`
  return requireApiUrl(bank, URL.parse(href, here)?.href ?? href)
}

/** The JSON of an entry, and its list. */
export type ReportEntry = { readonly list: (typeof LISTS)[number]; readonly value: unknown }

/** Thrown for invalid JSON, and for reports above their limits. */
export class UnreadableReport extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnreadableReport'
  }
}

const LISTS = ['booked', 'pending'] as const
const LEVELS_MAX = 64
/** A batch entry with all its transactions has some hundred kilobytes. */
const HELD_BYTES_MAX = 4 * 1024 * 1024
/** Entries are passed on when there are about as many, or as many bytes of them. */
const ENTRIES_AT_ONCE = 500
const BYTES_AT_ONCE = 256 * 1024

/** Returns the report with empty lists. Ending the iteration closes the stream. */
export async function* readReportEntries(
  parts: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly ReportEntry[], unknown> {
  const report = streamJson(parts, {
    readPiece: parsePiece,
    levelsMax: LEVELS_MAX,
    valuesMax: HELD_BYTES_MAX / BYTES_PER_VALUE,
    lists: LISTS.map((list) => ['transactions', list]),
    heldBytesMax: HELD_BYTES_MAX,
  })
  let ready: ReportEntry[] = []
  let bytes = 0
  try {
    for (let step = await report.next(); ; step = await report.next()) {
      if (step.done === true) {
        yield ready
        return step.value
      }
      const { path, elements } = step.value
      const list = path.includes('booked') ? 'booked' : 'pending'
      ready.push(...elements.map((value) => ({ list, value }) as const))
      bytes += step.value.bytes
      if (ready.length >= ENTRIES_AT_ONCE || bytes >= BYTES_AT_ONCE) {
        yield ready
        ready = []
        bytes = 0
      }
    }
  } catch (error) {
    const isUnreadable = error instanceof InvalidJsonError || error instanceof JsonLimitError
    throw isUnreadable ? new UnreadableReport(error.message, error) : error
  } finally {
    await report.return(undefined)
  }
}

function parsePiece(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new UnreadableReport('The report is not JSON', error)
  }
}
