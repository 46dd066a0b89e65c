/** Helpers for tests of errors: raw requests with valid headers, and counts of what a request has created. */
import { DETAILED_ERRORS } from '../../../contract/errors/error-bodies.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

/** An answer; `body` is undefined where there is none. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown }

/** The parts of a request. Undefined headers are omitted. */
export type RequestOptions = {
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
}

export const UNKNOWN_ID = '01a207a2-0000-7000-8000-000000000000'

/** Sends a request that the SDK would never send; like the SDK it asks for details of errors, unless it has a `prefer`. */
export async function sendRawRequest(
  gateway: Pick<TestGateway, 'fetch'>,
  [method, path]: readonly [method: string, path: string],
  { headers = {}, body }: RequestOptions = {},
): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const given = Object.entries({ prefer: DETAILED_ERRORS, ...type, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] satisfies [string, string]],
  )
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await gateway.fetch(path, { method, headers: given, ...(text === undefined ? {} : { body: text }) })
  const answered = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: answered === '' ? undefined : JSON.parse(answered),
  }
}

/** All headers that any operation requires. */
export async function validHeaders(
  gateway: Pick<TestGateway, 'token'>,
  consentId?: string,
): Promise<Record<string, string>> {
  return {
    authorization: `Bearer ${await gateway.token()}`,
    'psu-ip-address': '127.0.0.1',
    'psu-user-agent': 'Mozilla/5.0 (test)',
    ...(consentId === undefined ? {} : { 'consent-id': consentId }),
  }
}

/** Counts everything that a request may create: our rows, the bank's payments, and calls to the bank. */
export async function countSideEffects({
  context,
  logLines,
}: Pick<TestGateway, 'context' | 'logLines'>): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await context.database.pool.query(`select
    (select count(*) from payments) as payments,
    (select count(*) from payment_history) as history,
    (select count(*) from payrolls) as payrolls,
    (select count(*) from payroll_transaction_chunks) as slices,
    (select count(*) from payroll_transactions) as payouts,
    (select count(*) from consents) as consents,
    (select count(*) from approvals) as approvals,
    (select count(*) from sca_sessions) as signings,
    (select count(*) from onboardings) as onboardings,
    (select count(*) from companies) as companies,
    (select count(*) from webhook_subscriptions) as subscriptions,
    (select count(*) from operator_tasks) as tasks,
    (select count(*) from idempotency where status is null) as running,
    (select count(*) from sandbox_bank.payments) as "paymentsAtBank"`)
  return {
    ...rows[0],
    bankCalls: logLines().filter((line) => line.includes('a bank was called')).length,
  }
}

/** An answer without request-specific values, to compare two answers that must be indistinguishable. */
export function withoutRequestId({ status, body }: Answer): object {
  return { status, body: { ...Object(body), svcRequestId: undefined } }
}
