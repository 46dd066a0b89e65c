/** Tests how users return to partners' applications: the status is in the query, and the URL is stored. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visitBank } from '../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, KARI, OLA, PSU } from '../testing/payments/sample-payments.ts'
import { withStatusParameter } from './partner-callback-url.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test('the status is added to the query, before a fragment, and replaces an existing one', () => {
  for (const [callbackUrl, returned] of [
    ['https://erp.example', 'https://erp.example/?status=success'],
    ['https://erp.example/#/done', 'https://erp.example/?status=success#/done'],
    ['https://erp.example/a?status=x&b=c#d', 'https://erp.example/a?status=success&b=c#d'],
    ['myerp://back', 'myerp://back?status=success'],
    ['myerp://back#done', 'myerp://back?status=success#done'],
    ['myerp:back', 'myerp:back?status=success'],
  ] as const) {
    expect(withStatusParameter(callbackUrl, 'success')).toBe(returned)
  }
})

test('a user returns to the scheme of an application, and the pages of the redirect permit it', async () => {
  const { client } = await gateway.otherPartner({ withCompany: true, callbackOrigins: ['myerp:'] })
  const callbackUrl = 'myerp://back#consents'
  const { sca } = await client.createConsent({
    psu: PSU,
    body: { bic: 'FJORNO22', organizationNumber: '987654325', userId: KARI, callbackUrl },
  })
  const url = sca.type === 'redirect' ? sca.url : expect.fail('The consent is not signed by redirect')
  const page = await openBrowser().ask(url)
  expect(page.headers.get('content-security-policy')).toMatch(/form-action 'self' [^;]* myerp:;/)
  expect((await visitBank(url, { userId: KARI })).href).toBe('myerp://back?status=success#consents')
})

test('a partner without the permission for schemes registers none', async () => {
  await expect(acceptedConsent(gateway, OLA, { callbackUrl: 'myerp://back' })).rejects.toMatchObject({
    status: 422,
    validationErrors: [{ path: '.callbackUrl', reason: expect.stringContaining('myerp: is not') }],
  })
})
