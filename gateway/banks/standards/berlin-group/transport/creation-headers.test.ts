/** Shows the headers of creations: return URLs, and the preference for explicit authorisation. */
import { expect, test } from 'vitest'
import type { BankCaller, Connector } from '../../../connector/connector.ts'
import { SAMPLE_RETURN_URLS, sampleSubmittedOrder } from '../../../testing/samples.ts'
import { sandboxBank, sandboxBulk, sandboxCaller, sandboxOrder } from '../../../testing/sandbox-samples.ts'
import { scriptedBank } from '../../../testing/scripted-bank.ts'

const ID = '99435c7e-ad88-49ec-a2ad-99ddcb1f5555'
const DAY = Temporal.PlainDate.from('2026-12-01')
const PLACE = { xs2aUrl: 'http://127.0.0.1:8083', pagesUrl: 'http://127.0.0.1:8081' }
const REQUEST = { requestId: ID, notification: SAMPLE_RETURN_URLS.notification }
const HOME = ['https://localhost/', 'https://localhost/']
const NAMES = ['tpp-redirect-uri', 'tpp-nok-redirect-uri', 'tpp-explicit-authorisation-preferred']
const CREATED = {
  transactionStatus: 'RCVD',
  paymentId: 'p1',
  consentStatus: 'received',
  consentId: 'c1',
  basketId: 'b1',
}

type Create = (connector: Connector, caller: BankCaller) => Promise<unknown> | undefined
const payment: Create = (c, caller) =>
  c.domesticPayments?.initiate(caller, sandboxOrder(caller.bank, DAY, 100n), REQUEST)
const consent: Create = (c, caller) => c.consents.create(caller, { requestId: ID, validUntil: DAY })
const bulk: Create = (c, caller) => c.bulkPayments?.initiate(caller, sandboxBulk(caller.bank, DAY, 100n), REQUEST)
const withdrawal: Create = (c, caller) => c.domesticPayments?.cancellation.cancel(caller, sampleSubmittedOrder(), ID)
const basket: Create = (c, caller) =>
  c.baskets?.create(caller, { payments: [sampleSubmittedOrder()], requestId: ID, back: SAMPLE_RETURN_URLS })

test.each([
  ['a payment', payment, 'FJORNO22', [...HOME, 'true']],
  ['a consent', consent, 'FJORNO22', [...HOME, 'true']],
  ['a bulk', bulk, 'FJELNO22', [...HOME, 'true']],
  ['a cancellation', withdrawal, 'FJORNO22', [...HOME, 'true']],
  ['a basket', basket, 'VSKYNO22', [SAMPLE_RETURN_URLS.success, SAMPLE_RETURN_URLS.failure, 'true']],
  ['a payment, where users may sign in an app too', payment, 'MALBSESS', [...HOME, 'true']],
  ['a payment, where the bank starts the authorisation', payment, 'PAIJFIHH', [...HOME, undefined]],
  ['a consent, where the bank starts the authorisation', consent, 'PAIJFIHH', [...HOME, undefined]],
  ['a payment, where users sign in an app only', payment, 'KATTDK22', [undefined, undefined, 'true']],
])('%s has the callback URL, and whether the authorisation is started explicitly', async (_what, create, bic, sent) => {
  const { connector, requested } = scriptedBank(() => ({ body: CREATED }))
  await create(connector, sandboxCaller(sandboxBank(bic, PLACE)))
  expect(NAMES.map((name) => requested[0]?.headers[name])).toEqual(sent)
})
