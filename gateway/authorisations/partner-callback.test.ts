/** Tests how users return to partners' applications: the status is in the query, and the URL is stored. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visitBank } from '../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, KARI, OLA, PSU } from '../testing/payments/sample-payments.ts'
import { withStatusParameter } from './callback-url.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test('the status is added to the query, before a fragment, or replaces an existing one; the rest stays as written', () => {
  for (const [callbackUrl, returned] of [
    ['https://erp.example', 'https://erp.example?status=success'],
    ['https://erp.example/', 'https://erp.example/?status=success'],
    ['https://erp.example/#/done', 'https://erp.example/?status=success#/done'],
    ['https://erp.example/#/done?a=b', 'https://erp.example/?status=success#/done?a=b'],
    ['https://erp.example/a?', 'https://erp.example/a?status=success'],
    ['https://erp.example/a?#', 'https://erp.example/a?status=success#'],
    ['https://erp.example/a?b=c&', 'https://erp.example/a?b=c&status=success'],
    ['https://erp.example/a?b', 'https://erp.example/a?b&status=success'],
    ['https://erp.example/a?b=%20c+d&e=%C3%A6&f=%7e', 'https://erp.example/a?b=%20c+d&e=%C3%A6&f=%7e&status=success'],
    ['https://erp.example/a?b=c d&e=æ', 'https://erp.example/a?b=c d&e=æ&status=success'],
    ["https://erp.example/a?b='(c)*!~@:/?", "https://erp.example/a?b='(c)*!~@:/?&status=success"],
    ['https://erp.example/a?b[]=1&&b[]=2;c', 'https://erp.example/a?b[]=1&&b[]=2;c&status=success'],
    ['HTTPS://ERP.Example:443/a/../b//%2e%2E/', 'HTTPS://ERP.Example:443/a/../b//%2e%2E/?status=success'],
    ['https://bøk.example/å', 'https://bøk.example/å?status=success'],
    ['http://[0:0::1]:080/a', 'http://[0:0::1]:080/a?status=success'],
    ['https://erp.example/a?status=x&b=%20#d', 'https://erp.example/a?status=success&b=%20#d'],
    ['https://erp.example/a?b=c&%73tatus=x&d&status', 'https://erp.example/a?b=c&status=success&d'],
    [
      'https://erp.example/a??status=x&Status=y&xstatus=z',
      'https://erp.example/a??status=x&Status=y&xstatus=z&status=success',
    ],
    [' https://erp.example/a ', 'https://erp.example/a?status=success'],
    ['myerp://back', 'myerp://back?status=success'],
    ['myerp://back#done', 'myerp://back?status=success#done'],
    ['myerp:back', 'myerp:back?status=success'],
  ] as const) {
    expect(withStatusParameter(callbackUrl, 'success')).toBe(returned)
  }
})

test('a user returns to the scheme of an application, and the pages of the redirect permit it', async () => {
  const { client } = await gateway.otherPartner({ withCompany: true, callbackOrigins: ['myerp:'] })
  const callbackUrl = 'myerp://back?id=%20a+b#consents'
  const { sca } = await client.createConsent({
    psu: PSU,
    body: { bic: 'FJORNO22', organizationNumber: '987654325', userId: KARI, callbackUrl },
  })
  const url = sca.type === 'redirect' ? sca.url : expect.fail('The consent is not signed by redirect')
  const page = await openBrowser().ask(url)
  expect(page.headers.get('content-security-policy')).toMatch(/form-action 'self' [^;]* myerp:;/)
  expect((await visitBank(url, { userId: KARI })).href).toBe('myerp://back?id=%20a+b&status=success#consents')
})

test('a partner without the permission for schemes registers none', async () => {
  await expect(acceptedConsent(gateway, OLA, { callbackUrl: 'myerp://back' })).rejects.toMatchObject({
    status: 422,
    validationErrors: [{ path: '.callbackUrl', reason: expect.stringContaining('myerp: is not') }],
  })
})
