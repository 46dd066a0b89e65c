/** What tests of refusals share: plain requests with sound headers, and a look at what a request left behind. */
import type { WholeGateway } from '../gateway/test-gateway.ts'

/** An answer as a partner reads it; `body` is undefined where there is none. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown }

/** What a request is made of. A header that is undefined is left out. */
export type Asked = {
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
}

/** A UUID that nothing is called. */
export const NOBODYS_ID = '01a207a2-0000-7000-8000-000000000000'

/** Sends a request that the client of a partner would never send. */
export async function ask(
  gateway: Pick<WholeGateway, 'fetch'>,
  [method, path]: readonly [method: string, path: string],
  { headers = {}, body }: Asked = {},
): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const given = Object.entries({ ...type, ...headers }).flatMap(([name, value]) =>
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

/** Headers with which an operation that asks for everything is admitted. */
export async function soundHeaders(
  gateway: Pick<WholeGateway, 'token'>,
  consentId?: string,
): Promise<Record<string, string>> {
  return {
    authorization: `Bearer ${await gateway.token()}`,
    'psu-ip-address': '127.0.0.1',
    'psu-user-agent': 'Mozilla/5.0 (test)',
    ...(consentId === undefined ? {} : { 'consent-id': consentId }),
  }
}

/** Counts everything that a request may leave behind: our rows, the bank's payments, and calls to the bank. */
export async function traces({ context, bank, logLines }: WholeGateway): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await context.database.pool.query(`select
    (select count(*) from payments) as payments,
    (select count(*) from payment_history) as history,
    (select count(*) from payrolls) as payrolls,
    (select count(*) from payroll_slices) as slices,
    (select count(*) from payroll_transactions) as payouts,
    (select count(*) from consents) as consents,
    (select count(*) from approvals) as approvals,
    (select count(*) from signings) as signings,
    (select count(*) from onboardings) as onboardings,
    (select count(*) from companies) as companies,
    (select count(*) from operator_tasks) as tasks,
    (select count(*) from idempotency where status is null) as running`)
  const held: unknown = await (await fetch(`${bank.pagesUrl}/control/payments`)).json()
  return {
    ...rows[0],
    paymentsAtBank: Array.isArray(held) ? held.length : undefined,
    bankCalls: logLines().filter((line) => line.includes('a bank was called')).length,
  }
}

/** An answer without what differs from request to request, to compare two that must not be told apart. */
export function withoutRequestId({ status, body }: Answer): object {
  return { status, body: { ...Object(body), svcRequestId: undefined } }
}
