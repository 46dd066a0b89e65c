/** The demo data of the sandbox and the ids that the examples use. */
import type { Company } from '../companies.ts'
import type { BodyOf } from '../operation.ts'
import type { initiateDomesticPayment } from '../payments/payment-operations.ts'

/** The credentials of the sandbox's demo partner; publicly known. */
export const demoCredentials = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret' } as const

export const bic = 'FJORNO22'
export const organizationNumber = '987654325'
export const companyName = 'Nordlys Handel AS'
export const userId = '01815012345'
export const callbackUrl = 'http://127.0.0.1:3000/back'

export const demoCompany: Company = {
  organizationNumber,
  country: 'NO',
  name: companyName,
  activeSubscription: true,
  services: ['AIS', 'PIS'],
  onboardingId: null,
}

/** What an example of a destructive operation acts on: written as a variable that the reader sets. */
export const readerCompany = { organizationNumber: '987654805', name: 'Ditt Foretak AS' } as const
export const readerBic = 'NORDSESS'

/** The demo company's account at a bank that offers payrolls. */
export const payrollBic = 'VSKYNO22'
export const payrollBban = '80521100013'

export const consentId = '01a207a2-3280-7a4c-9123-b1612dd272d1'
export const payrollConsentId = '01a207a2-3f10-7d86-b4e9-52c8a06f17d3'
export const paymentId = '01a207a3-1ce0-7371-9c17-149d439536b3'
export const otherPaymentId = '01a207a4-0740-7216-9fda-eeb975729fae'
export const exchangePaymentId = '01a207a4-1a30-7b05-8d2c-3e90f7a1c6b8'
export const approvalId = '01a207a4-f1a0-7923-9d5a-4fd12aabfe22'
export const cancellationId = '01a207a5-3c10-7b52-8e0f-2d6b1a9c4e77'
export const quoteId = '01a207a6-8f2c-7d19-a4b3-6c0e5d7f1b28'
export const quoteReference = 'HVN4T7Q0ZK2M'
export const quoteCost = { amount: '9612.11', currency: 'NOK' } as const
export const accountId = '01a207a2-5e10-747c-9cf2-5ec84d8dbc74'

/** A supplier's invoice, paid with a message. */
export const invoice: BodyOf<typeof initiateDomesticPayment> = {
  metadata: { endToEndId: 'INV-20455' },
  from: {
    account: { type: 'bban', bban: '80501100017' },
    contactInformation: { name: companyName },
    currency: 'NOK',
    organizationNumber,
  },
  to: {
    account: { type: 'bban', bban: '80501200011' },
    contactInformation: {
      name: 'Granli Trelast AS',
      address: { streetName: 'Sagveien', buildingNumber: '12', city: 'Oslo', postCode: '0459', country: 'NO' },
    },
  },
  amount: { amount: '1250.00', currency: 'NOK' },
  dueDate: '2026-11-25',
  remittanceInformation: { type: 'message', value: 'Faktura 20455' },
  purposeCode: 'SUPP',
}

/** An electricity bill, paid with a KID. */
export const bill: BodyOf<typeof initiateDomesticPayment> = {
  metadata: { endToEndId: 'INV-20456' },
  from: invoice.from,
  to: { account: { type: 'bban', bban: '80503000036' }, contactInformation: { name: 'Breidablikk Kraft AS' } },
  amount: { amount: '4312.50', currency: 'NOK' },
  dueDate: '2026-11-25',
  remittanceInformation: { type: 'ocr', value: '2345676' },
}
