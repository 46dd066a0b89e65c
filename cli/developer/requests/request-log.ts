/** `havn logs`: the last requests and every further one, or one of them with its response. */
import { setTimeout } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { curlCommand } from '../../../console/requests/curl-command.ts'
import type { LoggedRequestSummary } from '../../../contract/request-log.ts'
import { LOGGED_STATUS_CLASSES, REQUESTS_PER_PAGE } from '../../../contract/request-log-limits.ts'
import { developerCommand, wholeNumber } from '../command-options.ts'
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
const LAST_DEFAULT = 10

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

export function addRequestCommands(logs: Command): void {
  const countOf = (value: string) => wholeNumber(value, REQUESTS_PER_PAGE.max)
  developerCommand(logs.command('tail'), tailRequests, [
    'havn logs tail',
    'havn logs tail --status errors --last 50 --no-follow',
    'havn logs tail --path /api/v2/payments --json',
  ])
    .description('print the last requests, and every further one until Ctrl-C')
    .option('--last <number>', `how many are printed at first, ${REQUESTS_PER_PAGE.max} at most`, countOf, LAST_DEFAULT)
    .option('--no-follow', 'print the last requests only')
    .addOption(
      new Option('--status <class>', 'with these statuses; errors are 4xx and 5xx').choices(LOGGED_STATUS_CLASSES),
    )
    .option('--path <path>', 'whose path begins with it, for example /api/v2/payments')
    .option('--code <code>', 'that were rejected with this code, for example InvalidAmount')
  developerCommand(logs.command('show'), showRequest, ['havn logs show $REQUEST'])
    .description('print a request with its response, and as a curl command')
    .argument('<id>', 'the svc-request-id of the response')
}

export async function showRequest(context: Context, svcRequestId: string): Promise<void> {
  const { havn, profile } = await context.connect()
  const request = await havn.getRequest({ params: { svcRequestId } })
  const { baseUrl } = profile
  const curl = curlCommand(request, { baseUrl, authUrl: baseUrl, onboardingUrl: baseUrl })
  const { method, path, status, milliseconds, receivedAt, errorCodes, requestBody, responseBody } = request
  context.output.result(
    { ...request, curl },
    [
      `${receivedAt}  ${method} ${path}`,
      `${status} in ${Math.round(milliseconds)} ms${errorCodes.length === 0 ? '' : `  ${errorCodes.join(' ')}`}`,
      ...headed('Request', requestBody),
      ...headed('Response', responseBody),
      ...headed('As a curl command', curl),
    ].join('\n'),
  )
}

function headed(title: string, text: string | null): readonly string[] {
  return text === null ? [] : ['', `${title}:`, text]
}
