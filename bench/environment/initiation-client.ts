/** Sends payments to a gateway over HTTP, each with its own Idempotency-Key and endToEndId. */
import { Pool } from 'undici'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { demoCredentials, invoice } from '../../contract/examples/demo-fixture.ts'
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import { PSU } from '../../gateway/testing/payments/sample-payments.ts'
import type { HavnClient } from '../../sdk/index.ts'
import { type RunningHavn, todayOf } from './running-havn.ts'

/** Sends one payment; resolves with its endToEndId when the gateway has answered that it is stored. */
export type Initiate = () => Promise<string>

type Load = { readonly callers: number; readonly warmUpSeconds: number; readonly seconds: number }

/**
 * Opens keep-alive connections to a gateway, one per caller; the changes apply to every order. Throws for any error
 * response.
 */
export async function openInitiationClient(
  { url, client, consentId }: Pick<RunningHavn, 'url' | 'client' | 'consentId'>,
  connections: number,
  changes: Partial<DomesticPayment> = {},
): Promise<{ initiate: Initiate; close(): Promise<void> }> {
  const pool = new Pool(url, { connections, pipelining: 1 })
  const headers = { ...(await partnerHeaders(client, consentId)), 'content-type': 'application/json' }
  const dueDate = (await todayOf({ client })).toString()
  const run = process.hrtime.bigint().toString(36)
  let count = 0
  const initiate = async () => {
    count += 1
    const endToEndId = `${run}-${count}`
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/api/v2/payments',
      headers: { ...headers, 'idempotency-key': endToEndId },
      body: JSON.stringify({
        ...invoice,
        metadata: { endToEndId },
        dueDate,
        // Not every bank receives the endToEndId; every one receives the message, by which the stub identifies the order.
        remittanceInformation: { type: 'message', value: endToEndId },
        ...changes,
      }),
    })
    const text = await body.text()
    if (statusCode !== 200) {
      throw new Error(`The gateway answered ${statusCode} to an initiation: ${text}`)
    }
    return endToEndId
  }
  return { initiate, close: () => pool.close() }
}

/**
 * Payments per second when each caller sends its next one as soon as the last is answered. A busy machine may need more
 * than the requested time for the first: the measurement ends with it then.
 */
export async function initiationsPerSecond(initiate: Initiate, load: Load): Promise<number> {
  const begins = performance.now() + load.warmUpSeconds * 1000
  const ends = begins + load.seconds * 1000
  let answered = 0
  let ended = ends
  const call = async () => {
    for (let now = performance.now(); now < ends || answered === 0; ) {
      await initiate()
      now = performance.now()
      if (now >= begins && (now < ends || answered === 0)) {
        answered += 1
        ended = Math.max(ends, now)
      }
    }
  }
  await Promise.all(Array.from({ length: load.callers }, call))
  return (answered * 1000) / (ended - begins)
}

/** For requests without the client, whose own work would be measured. */
export async function partnerHeaders(client: HavnClient, consentId: string): Promise<Record<string, string>> {
  const { clientId, clientSecret } = demoCredentials
  const { access_token } = await client.issueToken({
    body: {
      grant_type: 'client_credentials',
      scope: scopesByEnvironment.sandbox,
      client_id: clientId,
      client_secret: clientSecret,
    },
  })
  return {
    authorization: `Bearer ${access_token}`,
    'consent-id': consentId,
    'psu-ip-address': PSU.ipAddress,
    'psu-user-agent': PSU.userAgent,
  }
}
