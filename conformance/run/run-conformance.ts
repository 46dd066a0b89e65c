/** Runs the checks against a server, one after the other, and returns what each found. */
import { type Check, type CheckContext, type CheckGroup, type CheckResult, NotApplicable, Violation } from '../check.ts'
import { ACCOUNT_CHECKS } from '../checks/account-checks.ts'
import { BEARER_CHECKS } from '../checks/bearer-checks.ts'
import { CANCELLATION_CHECKS } from '../checks/cancellation-checks.ts'
import { CONSENT_CHECKS } from '../checks/consent-checks.ts'
import { ERROR_CHECKS } from '../checks/errors/error-checks.ts'
import { ERROR_FORM_CHECKS } from '../checks/errors/error-form-checks.ts'
import { REJECTION_CHECKS } from '../checks/errors/rejection-checks.ts'
import { EXCHANGE_CHECKS } from '../checks/exchange-checks.ts'
import { FIELD_CHECKS } from '../checks/field-checks.ts'
import { HEADER_CHECKS } from '../checks/header-checks.ts'
import { IDEMPOTENCY_CHECKS } from '../checks/idempotency-checks.ts'
import { LIST_CHECKS } from '../checks/list-checks.ts'
import { ONBOARDING_CHECKS } from '../checks/onboarding-checks.ts'
import { ORDER_FORM_CHECKS, PAYMENT_RULE_CHECKS } from '../checks/order-form-checks.ts'
import { ORDER_VALUE_CHECKS } from '../checks/order-value-checks.ts'
import { PARTNER_CHECKS } from '../checks/partner-checks.ts'
import { PAYMENT_CHECKS } from '../checks/payment-checks.ts'
import { PAYROLL_CHECKS } from '../checks/payroll-checks.ts'
import { SCHEMA_CHECKS } from '../checks/schema-checks.ts'
import { TOKEN_CHECKS } from '../checks/token-checks.ts'
import { WEBHOOK_DELIVERY_CHECKS } from '../checks/webhook-delivery-checks.ts'
import { WEBHOOK_RETRY_CHECKS } from '../checks/webhook-retry-checks.ts'
import { WEBHOOK_SUBSCRIPTION_CHECKS } from '../checks/webhook-subscription-checks.ts'
import { describeAnswer, maskText, type Target, type TargetOptions } from '../http/exchange.ts'
import { openRecordingClient, type RecordingClient, Unreachable } from '../http/recording-client.ts'
import { tokenOf, tokenRequest } from '../subjects/tokens.ts'
import { isSuccess } from '../validation/validate-answer.ts'

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
  override readonly name = 'CredentialsRejected'
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
  // The operations of a sandbox are absent elsewhere.
  const isSandbox = isSuccess(await client.call('getSandboxClock', {}, token))
  const target = { ...options, isSandbox }
  const run = { target, client, token, signal, cleanUps: [] as (() => Promise<unknown>)[] }
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
  readonly signal: AbortSignal
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

async function runCheck(run: Run, check: Check, group: CheckGroup): Promise<CheckResult> {
  const first = run.client.answers.length
  const started = performance.now()
  const { status, problems } = await outcomeOf(() => check.run(contextOf(run)), run.signal)
  const milliseconds = performance.now() - started
  const answers = run.client.answers.slice(first)
  // Problems quote requests and responses, and are printed everywhere.
  return { check, group, status, problems: problems.map(maskText), milliseconds, answers }
}

async function outcomeOf(
  check: () => Promise<void>,
  signal: AbortSignal,
): Promise<Pick<CheckResult, 'status' | 'problems'>> {
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
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof Unreachable) {
      return { status: 'failed', problems: [message] }
    }
    signal.throwIfAborted()
    // A field that the contract promises is not there, or is no date, no token or no key.
    return { status: 'failed', problems: [`A response lacks a value that this check reads: ${message}`] }
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

/** The last two look at the responses of all others. */
export const CHECK_GROUPS: readonly CheckGroup[] = [
  { id: 'authentication', title: 'Authentication', checks: [...TOKEN_CHECKS, ...BEARER_CHECKS, ...PARTNER_CHECKS] },
  { id: 'errors', title: 'Errors', checks: [...ERROR_CHECKS, ...REJECTION_CHECKS, ...ERROR_FORM_CHECKS] },
  { id: 'fields', title: 'Fields of requests', checks: FIELD_CHECKS },
  { id: 'values', title: 'Values of orders', checks: [...ORDER_VALUE_CHECKS, ...ORDER_FORM_CHECKS] },
  { id: 'payments', title: 'Payments', checks: [...PAYMENT_CHECKS, ...PAYMENT_RULE_CHECKS] },
  { id: 'idempotency', title: 'Idempotency', checks: IDEMPOTENCY_CHECKS },
  { id: 'lists', title: 'Lists', checks: LIST_CHECKS },
  { id: 'cancellations', title: 'Cancellations', checks: CANCELLATION_CHECKS },
  { id: 'payrolls', title: 'Payrolls', checks: PAYROLL_CHECKS },
  { id: 'exchange', title: 'Exchange', checks: EXCHANGE_CHECKS },
  { id: 'accounts', title: 'Accounts', checks: ACCOUNT_CHECKS },
  { id: 'consents', title: 'Consents', checks: CONSENT_CHECKS },
  { id: 'onboarding', title: 'Onboarding', checks: ONBOARDING_CHECKS },
  {
    id: 'webhooks',
    title: 'Webhooks',
    checks: [...WEBHOOK_SUBSCRIPTION_CHECKS, ...WEBHOOK_DELIVERY_CHECKS, ...WEBHOOK_RETRY_CHECKS],
  },
  { id: 'schemas', title: 'Schemas', checks: SCHEMA_CHECKS },
  { id: 'headers', title: 'Headers', checks: HEADER_CHECKS },
]
