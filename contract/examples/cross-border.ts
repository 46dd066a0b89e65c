/** Examples of initiating cross-border payments, with and without exchange. */

import type { BodyOf } from '../operation.ts'
import type { ExamplesById } from '../operations.ts'
import type { initiateCrossBorderPayment } from '../payments/cross-border-operations.ts'
import { bic, companyName, exchangePaymentId, organizationNumber, paymentId, quoteId } from './demo-fixture.ts'

const unsigned = { status: 'Unsigned', timestamp: '2026-11-23T09:01:01.204Z' } as const

const payer = {
  name: companyName,
  address: { streetName: 'Havnegata', buildingNumber: '7', city: 'Bergen', postCode: '5003', country: 'NO' },
}

/** A supplier in Germany, paid in euro from an account in euro. */
const euroInvoice: BodyOf<typeof initiateCrossBorderPayment> = {
  metadata: { endToEndId: 'INV-30017' },
  from: {
    account: { type: 'bban', bic, bban: '80501100076' },
    contactInformation: payer,
    currency: 'EUR',
    organizationNumber,
  },
  to: {
    account: { type: 'iban', bic: 'COBADEFFXXX', iban: 'DE89370400440532013000' },
    contactInformation: {
      name: 'Elbe Werkzeug GmbH',
      address: { streetName: 'Hafenstrasse', buildingNumber: '12', city: 'Hamburg', postCode: '20457', country: 'DE' },
    },
  },
  amount: { amount: '4200.00', currency: 'EUR' },
  dueDate: '2026-11-25',
  remittanceInformation: { message: 'Invoice 30017' },
}

/** A supplier in the United States, paid in dollars from an account in kroner. */
const dollarInvoice: BodyOf<typeof initiateCrossBorderPayment> = {
  metadata: { endToEndId: 'INV-30018' },
  from: { ...euroInvoice.from, account: { type: 'bban', bic, bban: '80501100017' }, currency: 'NOK' },
  to: {
    account: { type: 'bban', bic: 'CHASUS33', bban: '000123456789', clearingCode: '021000021' },
    contactInformation: {
      name: 'Hudson Bearings Inc',
      address: { streetName: 'Water Street', buildingNumber: '55', city: 'New York', postCode: '10041', country: 'US' },
    },
  },
  amount: { amount: '12000.00', currency: 'USD' },
  dueDate: '2026-11-24',
  remittanceInformation: { message: 'Invoice 30018' },
  regulatoryReporting: { code: '14', information: 'Bearings for resale' },
}

export const crossBorderExamples = {
  initiateCrossBorderPayment: [
    {
      summary: 'An invoice in euro, paid from an account in euro',
      body: euroInvoice,
      answer: { paymentId, paymentStatus: unsigned },
    },
    {
      summary: 'An invoice in dollars, paid from an account in kroner',
      body: dollarInvoice,
      answer: {
        paymentId: exchangePaymentId,
        paymentStatus: unsigned,
        costAmount: { amount: '115345.36', currency: 'NOK' },
        exchangeRate: '9.6121133',
        quoteExpiryTime: '2026-11-23T09:06:00.000Z',
        intermediaryAccount: {
          account: { iban: 'NO9386011117947', bban: '86011117947', bic: 'DNBANOKK' },
          contactInformation: {
            name: 'Sandbox Currency Clients',
            address: {
              streetName: 'Dronning Eufemias gate',
              buildingNumber: '30',
              city: 'Oslo',
              postCode: '0191',
              country: 'NO',
            },
          },
        },
        quoteId,
      },
    },
  ],
} satisfies Partial<ExamplesById>
