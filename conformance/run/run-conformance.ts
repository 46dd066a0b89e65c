/** Runs the checks against a server, one after the other, and returns what each found. */
import { type Check, type CheckContext, type CheckGroup, type CheckResult, NotApplicable, Violation } from '../check.ts'
import { describeAnswer } from '../http/exchange.ts'
import { maskText } from '../http/mask-secrets.ts'
import { openRecordingClient, type RecordingClient, Unreachable } from '../http/recording-client.ts'
import type { Target, TargetOptions } from '../http/target.ts'
import { tokenOf, tokenRequest } from '../subjects/tokens.ts'
import { isSuccess } from '../validation/validate-answer.ts'
import { CHECK_GROUPS } from './check-groups.ts'

export type ConformanceRun = {
  readonly target: Target
  readonly results: readonly CheckResult[]
}

/** What interests while it runs. */
export type RunObserver = {
  /** Called before each check. */
  readonly onCheck?: (check: Check, position: number, total: number) => void
  readonly onResult?: (result: CheckResult) => void
  readonly signal?: AbortSignal
  /** Ids of checks or groups; all by default. */
  readonly only?: readonly string[]
}

/** After the last check, or after Ctrl-C. */
const CLEAN_UP_MILLISECONDS_MAX = 10_000

/** The credentials were rejected, so that nothing can be checked. */
export class CredentialsRejected extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'CredentialsRejected'
  }
}

/**
 * Runs all checks, or those of `only`. Throws `Unreachable` or `CredentialsRejected` if the server cannot be checked at
 * all, and a `RangeError` that names the groups if `only` selects none.
 */
export async function runConformance(options: TargetOptions, observer: RunObserver = {}): Promise<ConformanceRun> {
  const { signal = new AbortController().signal, only = [] } = observer
  const selected = selectChecks(only)
  let ofRequests = signal
  const client = openRecordingClient(options, () => ofRequests)
  const token = await requestToken(options, client)
  const target = { ...options, isSandbox: await findSandbox(client, token) }
  const run = { target, client, token, cleanUps: [] as (() => Promise<unknown>)[] }
  const results: CheckResult[] = []
  try {
    for (const [position, { check, group }] of selected.entries()) {
      signal.throwIfAborted()
      observer.onCheck?.(check, position, selected.length)
      const result = await runCheck(run, check, group)
      results.push(result)
      observer.onResult?.(result)
    }
  } finally {
    ofRequests = AbortSignal.timeout(CLEAN_UP_MILLISECONDS_MAX)
    for (const action of run.cleanUps.toReversed()) {
      // What cannot be deleted is left behind: it changes no result.
      await action().catch(() => undefined)
    }
  }
  return { target, results }
}

type Run = {
  readonly target: Target
  readonly client: RecordingClient
  readonly token: string
  readonly cleanUps: (() => Promise<unknown>)[]
}

function selectChecks(only: readonly string[]) {
  const all = CHECK_GROUPS.flatMap((group) => group.checks.map((check) => ({ check, group })))
  const unknown = only.filter((id) => !all.some(({ check, group }) => check.id === id || group.id === id))
  if (unknown.length > 0) {
    const groups = CHECK_GROUPS.map(({ id }) => id).join(', ')
    throw new RangeError(`There is no check or group ${unknown.join(', ')}. The groups are: ${groups}`)
  }
  return only.length === 0 ? all : all.filter(({ check, group }) => only.includes(check.id) || only.includes(group.id))
}

async function requestToken(options: TargetOptions, client: RecordingClient): Promise<string> {
  const answer = await client.call('issueToken', { body: tokenRequest(options, options.credentials) }, undefined)
  const token = tokenOf(answer)
  if (token === undefined) {
    throw new CredentialsRejected(`${describeAnswer(answer)}: ${answer.text.slice(0, 300) || 'without a body'}`)
  }
  return token
}

/** The operations of a sandbox are absent elsewhere. */
async function findSandbox(client: RecordingClient, token: string): Promise<boolean> {
  return isSuccess(await client.call('getSandboxClock', {}, token))
}

async function runCheck(run: Run, check: Check, group: CheckGroup): Promise<CheckResult> {
  const first = run.client.answers.length
  const started = performance.now()
  const { status, problems } = await outcomeOf(() => check.run(contextOf(run)))
  const milliseconds = performance.now() - started
  const answers = run.client.answers.slice(first)
  // Problems quote requests and responses, and are printed everywhere.
  return { check, group, status, problems: problems.map(maskText), milliseconds, answers }
}

async function outcomeOf(check: () => Promise<void>): Promise<Pick<CheckResult, 'status' | 'problems'>> {
  try {
    await check()
    return { status: 'passed', problems: [] }
  } catch (error) {
    if (error instanceof NotApplicable) {
      return { status: 'skipped', problems: [error.message] }
    }
    if (error instanceof Violation) {
      return { status: 'failed', problems: error.problems }
    }
    if (error instanceof Unreachable) {
      return { status: 'failed', problems: [error.message] }
    }
    if (error instanceof TypeError || error instanceof RangeError) {
      // A field that the contract promises is not there, or is no date.
      return { status: 'failed', problems: [`A response lacks a value that this check reads: ${error.message}`] }
    }
    throw error
  }
}

function contextOf(run: Run): CheckContext {
  const { target, client, token, cleanUps } = run
  const call: CheckContext['call'] = (id, request = {}) => client.call(id, request, token)
  return {
    target,
    run,
    answers: client.answers,
    call,
    send: (request) => client.send(request),
    cleanUp: (action) => void cleanUps.push(action),
    succeed: async (id, request) => {
      const answer = await call(id, request)
      if (!isSuccess(answer)) {
        throw new Violation([
          `${describeAnswer(answer)}, expected ${answer.operation?.answer.status}: ${answer.text.slice(0, 300)}`,
        ])
      }
      // The group `schemas` validates it; a field that is absent fails the check that reads it.
      return answer.body as never
    },
  }
}
