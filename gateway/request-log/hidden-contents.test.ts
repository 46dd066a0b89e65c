/** Guarantees that what clients send in places of no operation is stored neither in the request log nor in that of the program. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../platform/ids.ts'
import { REDACTED } from '../platform/observability/log.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { findRequestById } from './find-requests.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const ALL = { partnerId: null, payrolls: true }
const bearer = async () => ({ authorization: `Bearer ${await gateway.token()}`, 'content-type': 'application/json' })

/** Sends a request, and returns what was logged of it. */
async function logged(path: string, init: RequestInit) {
  const response = await fetch(`${gateway.url}${path}`, init)
  const id = response.headers.get('svc-request-id') ?? ''
  await gateway.context.requestLog.flush()
  return { id, found: await findRequestById(gateway.context, ALL, id) }
}

test('a query, path or header that no operation knows is not stored, nor in the log of the program', async () => {
  const secret = 'kari-nordmann'
  const headers = { ...(await bearer()), 'x-secret': secret }
  const { found } = await logged(`/api/companies?userId=${secret}&client_secret=${secret}&q=${secret}`, { headers })
  expect(found?.path).toBe(`/api/companies?userId=${REDACTED}&client_secret=${REDACTED}&q=${REDACTED}`)
  await fetch(`${gateway.url}/api/unknown/${secret}?userId=${secret}`, { headers })
  await fetch(`${gateway.url}/console/payments?userId=${secret}`)
  expect(JSON.stringify(found)).not.toContain(secret)
  expect(gateway.logLines().join()).not.toContain(secret)
})

test('a payroll that is sent to another operation needs the payroll role as well, and shows no salary', async () => {
  const headers = { ...(await bearer()), 'consent-id': newId(), 'psu-ip-address': '127.0.0.1', 'psu-user-agent': 'x' }
  const body = JSON.stringify({ transactions: [{ to: { contactInformation: { name: 'Anna' } } }], dueDate: 'Anna' })
  for (const path of ['/api/v2/payments', '/api/v2/consents', '/api/webhooks/subscription']) {
    const { id, found } = await logged(path, { method: 'POST', headers, body })
    expect([found?.isPayroll, JSON.stringify(found)], path).toEqual([true, expect.not.stringContaining('Anna')])
    expect(await findRequestById(gateway.context, { ...ALL, payrolls: false }, id), path).toBe(undefined)
  }
})
