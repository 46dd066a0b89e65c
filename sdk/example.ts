/** The program of the README: pays an invoice in the sandbox while `npm start` runs. */
import { createHavnClient, type DomesticPayment } from '@havn/client'

const havn = createHavnClient({
  baseUrl: process.env['HAVN_URL'] ?? 'http://127.0.0.1:8080',
  clientId: process.env['HAVN_CLIENT_ID'] ?? 'demo-partner',
  clientSecret: process.env['HAVN_CLIENT_SECRET'] ?? 'demo-partner-secret',
  environment: 'sandbox',
  userAgent: 'my-erp/7.1',
})

// The session of your user, whose browser you forward to the bank.
const psu = { ipAddress: '127.0.0.1', userAgent: 'Mozilla/5.0' }
const callbackUrl = 'http://127.0.0.1:3000/back'

// 1. The company, its bank, and how the bank identifies its users.
const [company] = await havn.listCompanies()
const [bank] = await havn.listBanks({ params: { countryCode: 'NO' } })
if (company === undefined || bank === undefined) {
  throw new Error('There is no company or no bank')
}

// 2. The user gives consent. Send the browser to `consent.sca.url`; in the sandbox an operation decides for the user.
const consent = await havn.createConsent({
  psu,
  body: {
    bic: bank.bic,
    organizationNumber: company.organizationNumber,
    userId: bank.userId.example,
    callbackUrl,
  },
})
const consentId = consent.id
await havn.decideSandboxConsent({ params: { consentId, decision: 'sign' }, body: {} })

// 3. The order.
const { accounts } = await havn.listAccounts({ consentId, psu })
const [account] = accounts
if (account === undefined) {
  throw new Error('The consent gives no account')
}
const { now } = await havn.getSandboxClock()
const today = new Date(now).toLocaleDateString('sv-SE', { timeZone: 'Europe/Oslo' })
const invoice: DomesticPayment = {
  metadata: { endToEndId: 'INV-20455' },
  from: {
    account: { type: 'bban', bban: account.bban },
    contactInformation: { name: company.name },
    currency: account.currency,
  },
  to: { account: { type: 'bban', bban: '80501200011' }, contactInformation: { name: 'Granli Trelast AS' } },
  amount: { amount: '1250.00', currency: 'NOK' },
  dueDate: today,
  remittanceInformation: { type: 'message', value: 'Faktura 20455' },
}
const { paymentId } = await havn.initiateDomesticPayment({ consentId, psu, body: invoice })

// 4. The user approves the payment at the bank, and the bank executes it.
const approval = await havn.approvePayments({ consentId, psu, body: { payments: [paymentId], callbackUrl } })
await havn.decideSandboxApproval({ params: { approvalId: approval.id, decision: 'sign' }, body: {} })
await havn.stepSandboxPayment({ params: { paymentId, step: 'settle' }, body: {} })
const { status } = await havn.getPaymentStatus({ params: { paymentId } })
console.log(`Payment ${paymentId} is ${status}`)

import { HavnConnectionError, HavnUnknownOutcomeError, HavnValidationError } from '@havn/client'

try {
  const order = { ...invoice, amount: { amount: '-1250.00', currency: 'NOK' } }
  await havn.initiateDomesticPayment({ consentId, psu, body: order })
} catch (error) {
  if (error instanceof HavnValidationError) {
    for (const { code, path, message } of error.errors) {
      console.log(`${path}: ${message} (${code})`)
    }
  } else if (error instanceof HavnUnknownOutcomeError) {
    console.log(`The bank may have the payment ${error.paymentId}: follow its status, and do not order again`)
  } else if (error instanceof HavnConnectionError) {
    console.log(`Send the same order again with the idempotencyKey ${error.idempotencyKey}`)
  } else {
    throw error
  }
}

for await (const payment of havn.iteratePayments({ query: { fromDate: today, limit: 50 } })) {
  console.log(payment.paymentId, payment.amount.amount, payment.paymentStatus.status)
}

const period = { fromDate: today, toDate: today }
const ofAccount = { consentId, psu, params: { accountId: account.id } }
for await (const entry of havn.iterateAccountEntries({ ...ofAccount, query: period })) {
  console.log(entry.type, entry.postedAmount.amount, entry.remittanceInformation.unstructured)
}

import { isPaymentStatusChanged, verifyWebhook } from '@havn/client'

const eventsSeen = new Set<string>()

/** Returns the status with which to answer a delivery. */
export function receiveDelivery(rawBody: Uint8Array, headers: Headers, signingSecret: string): number {
  const delivery = verifyWebhook(rawBody, headers, signingSecret, { toleranceSeconds: 300 })
  if (!delivery.verified) {
    console.log(`A delivery is not authentic: ${delivery.reason}`)
    return 400
  }
  // In a database and before you answer: deliveries may be repeated, and may arrive out of order.
  const { event } = delivery
  eventsSeen.add(event.id)
  if (isPaymentStatusChanged(event)) {
    console.log(event.data.paymentId, event.data.status)
  } else if (event.type === 'CONSENT_EXPIRING') {
    console.log(event.data.consentId, event.data.validUntil)
  }
  return 204
}

import { moveClock } from '@havn/client'

await moveClock(havn, { advance: 'PT1M' }, (clock) => console.log(`${clock.now}, moving to ${clock.movingTo}`))
