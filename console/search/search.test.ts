/** Tests the search field of the console: what each role finds by which text, and the page where nothing is found. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import type { ConsoleRole } from '../../gateway/config/console-roles.ts'
import { newId } from '../../gateway/platform/ids.ts'
import type { FormBrowser } from '../../gateway/testing/browser/form-browser.ts'
import { createConsoleSubjects } from '../../gateway/testing/console/console-subjects.ts'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { storePayments } from '../../gateway/testing/console/stored-payments.ts'
import { storeRequests } from '../../gateway/testing/console/stored-requests.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { demoPartnerId } from '../../gateway/testing/webhooks/enqueue-status-change.ts'

const X_REQUEST_ID = '4b1f4a39-7a7c-4f5c-9a3e-5b6d5c1d2e3f'

let gateway: TestGateway
let own: Readonly<Record<string, string>>
let foreign: Readonly<Record<string, string>>
let paymentId: string
let ofPayroll: string
const browsers = new Map<ConsoleRole, FormBrowser>()
beforeAll(async () => {
  gateway = await startTestGateway()
  const { pool } = gateway.context.database
  const partnerId = await demoPartnerId(gateway)
  own = await createConsoleSubjects(gateway, partnerId)
  const { partner } = await createPartner(gateway.context, 'test', { name: 'Another partner' })
  foreign = await createConsoleSubjects(gateway, partner.id)
  const payments = await storePayments(gateway, 2, { prefix: 'OWN' })
  paymentId = payments[0] ?? ''
  await pool.query(
    `update payments set bank_payment_id = 'BANK-' || $2::text, amount_minor = 123450, creditor_bban = '54910000003',
       ordered = jsonb_set(jsonb_set(ordered::jsonb, '{to,contactInformation,name}', '"Sjöström & Åkesson AB"'),
         '{amount,amount}', '"1234.50"')::text where id = $1`,
    [paymentId, '77'],
  )
  await pool.query(
    `insert into bank_calls (partner_id, payment_id, id, bic, at, operation, method, path, status, milliseconds, request_id)
     values ($1, $2, uuidv7(), 'FJORNO22', now(), 'initiatePayment', 'POST', '/', 201, 1, $3)`,
    [partnerId, paymentId, X_REQUEST_ID],
  )
  ;[ofPayroll = ''] = await storeRequests(gateway, partnerId, [{ isPayroll: true, path: '/api/v2/payrolls' }])
})
afterAll(() => gateway.close())

/** Where a search of the role leads: the page that it opens, or the search with its result. */
async function search(role: ConsoleRole, text: string) {
  const browser = browsers.get(role) ?? (await signInAs(gateway, role))
  browsers.set(role, browser)
  const page = await browser.open(`/console/search?${new URLSearchParams({ q: text })}`)
  return {
    status: page.status,
    place: page.place.replace(/\?.*/, ''),
    text: textOf(page).replaceAll('\u00a0', ' '),
    page,
  }
}

test('one hit is opened, whatever kind of thing has the id and however it was copied', async () => {
  const id = (name: string) => own[name] ?? ''
  const rows: readonly (readonly [ConsoleRole, string, string])[] = [
    ['partner-finance', `  ${paymentId.toUpperCase()} `, `/console/payments/${paymentId}`],
    ['partner-finance', 'OWN-1', `/console/payments/${paymentId}`],
    ['partner-finance', 'BANK-77', `/console/payments/${paymentId}`],
    ['partner-finance', X_REQUEST_ID, `/console/payments/${paymentId}#call-${X_REQUEST_ID}`],
    ['partner-finance', id('consentId'), `/console/consents/${id('consentId')}`],
    ['partner-finance', id('approvalId'), `/console/approvals/${id('approvalId')}`],
    ['partner-finance', id('cancellationId'), `/console/cancellations/${id('cancellationId')}`],
    ['partner-finance', id('onboardingId'), `/console/onboardings/${id('onboardingId')}`],
    ['partner-finance', id('dealId'), `/console/exchanges/${id('dealId')}`],
    ['partner-payroll', id('payrollId'), `/console/payrolls/${id('payrollId')}`],
    ['partner-developer', id('requestId'), `/console/requests/${id('requestId')}`],
    ['partner-developer', id('eventId'), `/console/webhooks/events/${id('eventId')}`],
    ['partner-developer', id('subscriptionId'), `/console/webhooks/${id('subscriptionId')}`],
    ['partner-developer', id('deliveryId'), `/console/webhooks/${id('subscriptionId')}/deliveries/${id('deliveryId')}`],
    ['operator-reader', id('taskId'), `/console/tasks/${id('taskId')}`],
    ['operator-reader', ofPayroll, `/console/requests/${ofPayroll}`],
    ['operator-reader', foreign['paymentId'] ?? '', `/console/payments/${foreign['paymentId']}`],
    ['partner-finance', '1 234,50', `/console/payments/${paymentId}`],
    ['partner-finance', '1.234,50', `/console/payments/${paymentId}`],
    ['partner-finance', '1234.50 NOK', `/console/payments/${paymentId}`],
    ['partner-finance', 'nok 1\u00a0234,5', `/console/payments/${paymentId}`],
    ['partner-finance', '5491-0000003', `/console/payments/${paymentId}`],
    ['partner-finance', 'SE35 5000 0000 0549 1000 0003', `/console/payments/${paymentId}`],
    ['partner-finance', 'sjostrom & å', `/console/payments/${paymentId}`],
  ]
  for (const [role, text, place] of rows) {
    expect([text, (await search(role, text)).place]).toEqual([text, place])
  }
})

test('nothing is found of another partner, of salaries without the payroll role, or beyond the role', async () => {
  const strangers = ['paymentId', 'payrollId', 'consentId', 'approvalId', 'requestId', 'eventId', 'deliveryId'] as const
  const rows: readonly (readonly [ConsoleRole, string])[] = [
    ...strangers.flatMap((name) =>
      (['partner-finance', 'partner-developer', 'partner-payroll'] as const).map(
        (role) => [role, foreign[name] ?? ''] as const,
      ),
    ),
    ['partner-finance', own['payrollId'] ?? ''],
    ['partner-developer', own['payrollId'] ?? ''],
    ['partner-developer', ofPayroll],
    ['partner-developer', 'SAL-1'],
    ['partner-developer', 'digest 1'],
    ['partner-finance', own['requestId'] ?? ''],
    ['partner-finance', own['taskId'] ?? ''],
    ['partner-payroll', paymentId],
    ['partner-payroll', 'OWN-1'],
    ['partner-payroll', '1 234,50'],
    ['partner-finance', '1234,50 EUR'],
    ['partner-finance', newId()],
  ]
  for (const [role, text] of rows) {
    const found = await search(role, text)
    expect([role, text, found.place, found.text]).toEqual([
      role,
      text,
      '/console/search',
      expect.stringContaining(`Nothing was found for “${text}”`),
    ])
  }
})

test('a call to a bank is found by its X-Request-ID, however many newer ones there are', async () => {
  await gateway.context.database.pool.query(
    `insert into bank_calls (partner_id, payment_id, id, bic, at, operation, method, path, status, milliseconds, request_id)
     select partner_id, id, uuidv7(), 'FJORNO22', now(), 'getPaymentStatus', 'GET', '/', 200, 1, gen_random_uuid()::text
     from payments, generate_series(1, 10100) n where id = $1`,
    [paymentId],
  )
  const found = await search('operator-reader', X_REQUEST_ID)
  expect(found.place).toBe(`/console/payments/${paymentId}#call-${X_REQUEST_ID}`)
})

test('a payroll is found by the endToEndId of a salary with the payroll role', async () => {
  expect((await search('partner-payroll', 'SAL-1')).place).toBe(`/console/payrolls/${own['payrollId']}`)
})

test('several hits are listed by kind, and none says what was searched and how', async () => {
  const several = await search('partner-finance', '1250')
  expect(several.text).toMatch(/Payments of this amount .*1 250,00 NOK/)
  expect(several.text).toContain('Amounts of the newest 10 000 payments')
  expect(several.page.html).toContain('value="1250"')
  const operators = await search('operator-reader', 'INV-1')
  expect(operators.text).toMatch(/Payments with this endToEndId .* Another partner/)
  const none = await search('partner-finance', 'Nobody & Sons')
  expect(none.text).toMatch(/Ids of everything that you may see.* Names of creditors of the newest 10 000 payments/)
  expect(none.text).not.toContain('Account numbers')
  expect(none.text).toContain('Payrolls are found by users with the payroll role only')
  expect((await search('partner-finance', ' ')).text).toContain('Enter what you look for')
  expect((await search('partner-finance', 'a\u0000b')).status).toBe(422)
})
