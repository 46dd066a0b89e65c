/** Pays a supplier as the demo partner: run it while `npm start` runs, and open the URLs that it prints. */
import { setTimeout } from 'node:timers/promises'
import { createHavnClient } from './index.ts'

const havn = createHavnClient({
  baseUrl: process.env['HAVN_URL'] ?? 'http://127.0.0.1:8080',
  clientId: 'demo-partner',
  clientSecret: 'demo-partner-secret',
  environment: 'sandbox',
})
const psu = { ipAddress: '127.0.0.1', userAgent: 'Mozilla/5.0' }
const callbackUrl = 'http://127.0.0.1:3000/back'
const pollMilliseconds = 2_000

// 1. The company, its bank, and how the bank identifies its users.
const company = (await havn.listCompanies()).find(({ organizationNumber }) => organizationNumber === '987654325')
const bank = (await havn.listBanks({ params: { countryCode: 'NO' } })).find(({ name }) => name === 'Fjordbanken')
if (company === undefined || bank === undefined) {
  throw new Error('The sandbox has no demo company or no bank')
}

// 2. The user gives consent.
const { id: consentId, sca } = await havn.createConsent({
  psu,
  body: {
    bic: bank.bic,
    organizationNumber: company.organizationNumber,
    userId: bank.userId.example,
    callbackUrl,
  },
})
console.log('Accept the consent:', sca.type === 'redirect' ? sca.url : sca.code)
while ((await havn.getConsent({ consentId })).status === 'AUTHORIZATION_REQUIRED') {
  await setTimeout(pollMilliseconds)
}

// 3. The order. The idempotency key makes a retry safe.
const { accounts } = await havn.listAccounts({ consentId, psu })
const [account] = accounts
if (account === undefined) {
  throw new Error('The consent was not accepted, or gives no account')
}
const { paymentId } = await havn.initiateDomesticPayment({
  consentId,
  psu,
  idempotencyKey: crypto.randomUUID(),
  body: {
    metadata: { endToEndId: 'INV-20455' },
    from: {
      account: { type: 'bban', bban: account.bban },
      contactInformation: { name: company.name },
      currency: account.currency,
    },
    to: { account: { type: 'bban', bban: '80501200011' }, contactInformation: { name: 'Granli Trelast AS' } },
    amount: { amount: '1250.00', currency: 'NOK' },
    dueDate: await bankDay(),
    remittanceInformation: { type: 'message', value: 'Faktura 20455' },
  },
})

// 4. The user authorises the payment, and the bank executes it.
const approval = await havn.approvePayments({ consentId, psu, body: { payments: [paymentId], callbackUrl } })
console.log('Sign the payment:', approval.sca?.type === 'redirect' ? approval.sca.url : approval.sca?.code)
let { status } = await havn.getPaymentStatus({ params: { paymentId } })
while (status === 'Unsigned') {
  await setTimeout(pollMilliseconds)
  status = (await havn.getPaymentStatus({ params: { paymentId } })).status
}
console.log(`Payment ${paymentId} is ${status}`)

/** The bank's current date by the sandbox clock, which may have been moved. */
async function bankDay(): Promise<string> {
  const { now } = await havn.getSandboxClock()
  return Temporal.Instant.from(now).toZonedDateTimeISO('Europe/Oslo').toPlainDate().toString()
}
