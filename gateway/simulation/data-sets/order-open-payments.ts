/** Orders payments for the demo partner over the API, as its software would, so that they exist at the sandbox bank, too. */

import { request } from 'undici'
import { scopesByEnvironment } from '../../../contract/environments.ts'
import { bic, demoCredentials, invoice, organizationNumber, userId } from '../../../contract/examples/demo-fixture.ts'
import { operations } from '../../../contract/operations.ts'
import type { Context } from '../../context.ts'
import { nextBankDay, REPORTING_TIME_ZONE } from '../../countries/bank-days.ts'
import { newId } from '../../platform/ids.ts'
import { parseJson } from '../../platform/parse-json.ts'

/** A session of the demo partner: its token, and the consent of its user. */
export type DemoSession = { readonly token: string; readonly consentId: string }

const PSU = { 'psu-ip-address': '127.0.0.1', 'psu-user-agent': 'Havn sandbox' }
/** Of the open payments, these are signed. */
const SIGNED_EVERY = 2

/** Requests a consent from the demo bank, and accepts it as its user. Throws when a request is rejected. */
export async function createAcceptedConsent({ config }: Context): Promise<DemoSession> {
  const form = {
    grant_type: 'client_credentials',
    client_id: demoCredentials.clientId,
    client_secret: demoCredentials.clientSecret,
    scope: scopesByEnvironment.sandbox,
  }
  const issued = await post(`${config.authUrl}${operations.issueToken.path}`, new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
  const token = textIn(issued, 'access_token')
  const call = apiOf(config.baseUrl, { token })
  const callbackUrl = `${config.baseUrl}/console`
  const consent = await call(operations.createConsent.path, { bic, organizationNumber, userId, callbackUrl })
  const consentId = textIn(consent, 'id')
  await call(`/api/sandbox/consents/${consentId}/sign`, {})
  return { token, consentId }
}

/** The next payment of the demo company: every other one is signed by its user, the others wait for that. */
export async function orderOpenPayment(
  { config, clock }: Context,
  session: DemoSession,
  number: number,
): Promise<void> {
  const call = apiOf(config.baseUrl, session)
  const endToEndId = `Today ${number}`
  const dueDate = nextBankDay(['NO'], clock.today(REPORTING_TIME_ZONE)).toString()
  const order = {
    ...invoice,
    metadata: { endToEndId },
    dueDate,
    amount: { ...invoice.amount, amount: `${number}250.00` },
  }
  const ordered = await call(operations.initiateDomesticPayment.path, order)
  if (number % SIGNED_EVERY === 0) {
    const payments = [textIn(ordered, 'paymentId')]
    const approval = await call(operations.approvePayments.path, { payments, callbackUrl: `${config.baseUrl}/console` })
    await call(`/api/sandbox/approvals/${textIn(approval, 'id')}/sign`, {})
  }
}

type Call = (path: string, body: object) => Promise<unknown>

function apiOf(baseUrl: string, { token, consentId }: Pick<DemoSession, 'token'> & Partial<DemoSession>): Call {
  return (path, body) =>
    post(`${baseUrl}${path}`, JSON.stringify(body), {
      ...PSU,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': newId(),
      ...(consentId === undefined ? {} : { 'consent-id': consentId }),
    })
}

async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await request(url, { method: 'POST', headers, body })
  const text = await response.body.text()
  if (response.statusCode !== 200) {
    throw new Error(`${new URL(url).pathname} returned ${response.statusCode}: ${text.slice(0, 300)}`)
  }
  return parseJson(text)
}

function textIn(answer: unknown, name: string): string {
  const value: unknown = Object(answer)[name]
  if (typeof value !== 'string') {
    throw new Error(`The answer has no ${name}`)
  }
  return value
}
