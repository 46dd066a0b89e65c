/** `havn logs tail`: prints the last requests, and follows the log. */
import { setTimeout } from 'node:timers/promises'
import type { LoggedRequestSummary } from '../../../contract/request-log.ts'
import type { LOGGED_STATUS_CLASSES } from '../../../contract/request-log-limits.ts'
import type { Connection, Context } from '../context.ts'

export type TailOptions = {
  readonly last: number
  readonly follow: boolean
  readonly status?: (typeof LOGGED_STATUS_CLASSES)[number]
  readonly path?: string
  readonly code?: string
}

const POLL_MILLISECONDS = 1_000
/** Requests are written in batches, so one may appear after another that was received later. */
const OVERLAP_SECONDS = 10
const METHOD_WIDTH = 6

export async function tailRequests(context: Context, options: TailOptions): Promise<void> {
  const { output, signal } = context
  const connection = await context.connect()
  const seen = new Set<string>()
  let newest: string | undefined
  const first = await newestRequests(connection, options, { limit: options.last })
  if (first.length === 0) {
    output.note(options.follow ? 'No such request yet; waiting until Ctrl-C …' : 'There is no such request')
  }
  let requests = first
  while (!signal.aborted) {
    for (const request of requests.toReversed()) {
      if (!seen.has(request.svcRequestId)) {
        seen.add(request.svcRequestId)
        newest = newest === undefined || request.receivedAt > newest ? request.receivedAt : newest
        output.result(request, lineOf(request))
      }
    }
    if (!options.follow) {
      return
    }
    await setTimeout(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined)
    const range = newest === undefined ? { limit: options.last } : { from: shortlyBefore(newest) }
    requests = signal.aborted ? [] : await newestRequests(connection, options, range)
  }
}

/** Newest first: pages that follow each other, until there are enough. */
async function newestRequests(
  { havn }: Connection,
  { status, path, code }: TailOptions,
  { limit = Number.POSITIVE_INFINITY, from }: { readonly limit?: number; readonly from?: string },
): Promise<readonly LoggedRequestSummary[]> {
  const query = {
    ...(status === undefined ? {} : { status }),
    ...(path === undefined ? {} : { path }),
    ...(code === undefined ? {} : { errorCode: code }),
    ...(from === undefined ? {} : { from }),
  }
  const found: LoggedRequestSummary[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof havn.listRequests>> = await havn.listRequests({
      query: { ...query, ...(cursor === null ? {} : { cursor }) },
    })
    found.push(...page.requests)
    cursor = page.nextCursor
  } while (cursor !== null && found.length < limit)
  return found.slice(0, limit)
}

function shortlyBefore(time: string): string {
  return Temporal.Instant.from(time).subtract({ seconds: OVERLAP_SECONDS }).toString()
}

function lineOf({ receivedAt, method, path, status, milliseconds, errorCodes, svcRequestId }: LoggedRequestSummary) {
  const codes = errorCodes.length === 0 ? '' : `  ${errorCodes.join(' ')}`
  return `${receivedAt}  ${status}  ${method.padEnd(METHOD_WIDTH)} ${path}  ${Math.round(milliseconds)} ms  ${svcRequestId}${codes}`
}
