/** Examples of the operations on exchange. */

import type { quoteExchange } from '../fx/fx-operations.ts'
import type { BodyOf } from '../operation.ts'
import type { ExamplesById } from '../operations.ts'
import { bic, companyName, organizationNumber, quoteCost, quoteId, quoteReference } from './demo-fixture.ts'

/** A supplier in the United States, paid in dollars from an account in kroner. */
export const dollarOrder: BodyOf<typeof quoteExchange> = {
  metadata: { organizationCountryCode: 'NO', organizationNumber, endToEndId: 'INV-30018' },
  from: {
    bban: '80501100017',
    bic,
    contactInformation: {
      name: companyName,
      address: { streetName: 'Havnegata', buildingNumber: '7', city: 'Bergen', postCode: '5003', country: 'NO' },
    },
    currency: 'NOK',
    country: 'NO',
  },
  to: {
    account: { bban: '000123456789', bic: 'CHASUS33', clearingCode: '021000021' },
    contactInformation: {
      name: 'Hudson Bearings Inc',
      address: { streetName: 'Water Street', buildingNumber: '55', city: 'New York', postCode: '10041', country: 'US' },
    },
  },
  amount: { amount: '1000.00', currency: 'USD' },
  dueDate: '2026-11-24',
  remittanceInformation: { unstructured: 'Invoice 30018' },
}

const intermediaryAccount = {
  account: { iban: 'NO3380590100009', bban: '80590100009', bic: 'VEKSNO22' },
  contactInformation: {
    name: 'Kursveksel Client Money',
    address: { streetName: 'Tollbugata', buildingNumber: '8', city: 'Oslo', postCode: '0152', country: 'NO' },
  },
}

export const exchangeExamples = {
  quoteExchange: [
    {
      summary: 'BUY: the receiver gets 1 000 dollars, paid in kroner',
      body: dollarOrder,
      answer: {
        quoteId,
        endToEndId: 'INV-30018',
        requestedAmount: { amount: '1000.00', currency: 'USD' },
        costAmount: quoteCost,
        exchangeRate: '9.612110000',
        quoteExpiryTime: '2026-11-23T09:06:00.331Z',
        referenceCode: quoteReference,
        intermediaryAccount,
        markup: '0.50',
        chargeBearer: 'SHA',
        payoutDate: '2026-11-26',
      },
    },
    {
      summary: 'SELL: the sender pays 10 000 kroner, paid out in dollars',
      body: {
        ...dollarOrder,
        to: { ...dollarOrder.to, currency: 'USD' },
        amount: { amount: '10000.00', currency: 'NOK' },
      },
      answer: {
        quoteId,
        endToEndId: 'INV-30018',
        requestedAmount: { amount: '1040.35', currency: 'USD' },
        costAmount: { amount: '10000.00', currency: 'NOK' },
        exchangeRate: '9.612150719',
        quoteExpiryTime: '2026-11-23T09:06:00.331Z',
        referenceCode: 'HVN8B3W5YD1C',
        intermediaryAccount,
        markup: '0.50',
        chargeBearer: 'SHA',
        payoutDate: '2026-11-26',
      },
    },
  ],
  validateExchange: [
    {
      summary: 'Valid, without warnings',
      body: dollarOrder,
      answer: { valid: true, endToEndId: 'INV-30018', warnings: [] },
    },
    {
      summary: 'The balance is too low',
      body: { ...dollarOrder, dueDate: '2026-11-23' },
      answer: {
        valid: true,
        endToEndId: 'INV-30018',
        warnings: [
          {
            code: 'BalanceTooLow',
            reason: 'The payment costs 9612.11 NOK, but the account has only 4200.00 NOK available',
            path: '.amount',
          },
        ],
      },
    },
  ],
  listCurrencies: [
    {
      summary: 'A currency for payouts, and one for funding too',
      answer: [
        {
          currency: 'NOK',
          decimals: 2,
          funding: true,
          payout: true,
          maxAmount: { dueToday: '53000000.00', dueLater: '10000000.00' },
          dueDateMaxDays: 5,
          cutOffTime: '16:00',
        },
        {
          currency: 'USD',
          decimals: 2,
          funding: false,
          payout: true,
          maxAmount: { dueToday: '5600000.00', dueLater: '1100000.00' },
          dueDateMaxDays: 5,
          cutOffTime: '16:00',
        },
      ],
    },
  ],
  getExchangeCalendar: [
    {
      summary: 'One week, requested on a Monday',
      query: { from: '2026-11-23', to: '2026-11-29' },
      answer: {
        serviceOpen: true,
        opensAt: '2026-11-23T09:01:00.12Z',
        cutOffTime: '16:00',
        firstDueDate: '2026-11-23',
        defaultDueDate: '2026-11-24',
        lastDueDate: '2026-11-30',
        invalidDates: {
          '2026-11-28': 'must be a day on which the banks on both sides are open',
          '2026-11-29': 'must be a day on which the banks on both sides are open',
        },
      },
    },
  ],
} satisfies Partial<ExamplesById>
