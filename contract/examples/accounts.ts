/** Examples of the operations on accounts with their entries, banks and companies. */

import type { AccountEntry } from '../account-entries.ts'
import type { Bank } from '../banks.ts'
import type { ExamplesById } from '../operations.ts'
import { accountId, bic, companyName, demoCompany, organizationNumber, paymentId, userId } from './demo-fixture.ts'

const fjordbanken: Bank = {
  bic,
  name: 'Fjordbanken',
  countryCode: 'NO',
  branches: [],
  supportedProducts: ['PAYMENT_DOMESTIC', 'ACCOUNTS', 'ACCOUNT_ENTRIES', 'ACCOUNT_ENTRIES_EXTENDED', 'PAYMENT_CANCEL'],
  constraints: {
    maxBasketSize: null,
    maxBulkSize: null,
    maxPayrollSize: null,
    maxInformationFieldLength: 70,
    maxUnstructuredRemittanceInfoLength: 140,
    maxUnstructuredRemittanceInfoLengthToOtherBanks: 140,
    maxCrossBorderRemittanceInfoLength: 140,
    maxDebtorReferenceLength: 20,
    maxAmounts: [{ amount: '25000000.00', currency: 'NOK' }],
    rails: [
      {
        rail: 'account',
        maxAmount: null,
        maxRecipientNameLength: 70,
        maxUnstructuredRemittanceInfoLength: 140,
      },
    ],
    aisMaxDateRangeMonths: 12,
    cancelSCARequired: true,
    validInformationFieldCharactersPattern: "[a-zA-Z0-9ÆØÅæøåÄÖÜäöüÉé /\\-?:().,'+&%=@§!]",
  },
  scaMethods: ['Redirect'],
  maxConsentValidityDays: 180,
  userId: { required: true, label: 'Fødselsnummer', pattern: '^[0-9]{11}$', example: userId },
  dueDateMaxDays: 365,
  cutOffTime: '14:00',
  cutOffs: [{ rail: 'account', localTime: '14:00', bankDaysBefore: 0 }],
  status: 'Operational',
}

const paid: AccountEntry = {
  transactionId: '01a207b1-7a20-7d35-b1f0-9c5be5a7d1f4',
  stableEntryId: 'q1Ju0mB4V5bXw2o8Zt7dRg',
  postedAmount: { amount: 1250, currency: 'NOK' },
  type: 'DEBIT',
  status: 'BOOKED',
  bookingDateTime: '2026-11-25T00:00:00.000Z',
  valueDateTime: '2026-11-25T00:00:00.000Z',
  purposeText: 'Betaling',
  remittanceInformation: { unstructured: 'Faktura 20455' },
  creditor: { name: 'Granli Trelast AS', bban: '80501200011', iban: 'NO8280501200011' },
  debtor: { name: companyName, bban: '80501100017', iban: 'NO9680501100017' },
  endToEndId: 'INV-20455',
  paymentId,
  enriched: false,
}

const received: AccountEntry = {
  transactionId: '01a207b2-0c41-7b02-8a6e-1d3f0b6c2e90',
  stableEntryId: 'Zr8c1Yq0TnK3hG5sVbLm2A',
  postedAmount: { amount: 899.5, currency: 'NOK' },
  type: 'CREDIT',
  status: 'PENDING',
  valueDateTime: '2026-11-26T00:00:00.000Z',
  remittanceInformation: {
    reference: '234567891234567',
    references: [{ reference: '234567891234567', type: 'KID' }],
  },
  creditor: { name: companyName, bban: '80501100017', iban: 'NO9680501100017' },
  debtor: { name: 'Fjellvik Butikkdrift AS' },
  enriched: false,
}

const november = { fromDate: '2026-11-01', toDate: '2026-11-30' }

export const accountExamples = {
  listAccounts: [
    {
      summary: "The demo company's main account",
      answer: {
        accounts: [
          {
            id: accountId,
            bban: '80501100017',
            iban: 'NO9680501100017',
            bic,
            name: 'Driftskonto',
            ownerName: companyName,
            currency: 'NOK',
            country: 'NO',
            organizationNumber,
            type: 'Current',
            products: ['PAYMENT_DOMESTIC'],
            stableId: 'Yb3k0v9QmW5xTz1cHs7dLg',
          },
        ],
      },
    },
  ],
  getAccountBalance: [
    {
      summary: 'The available balance is below the booked balance',
      params: { accountId },
      answer: {
        availableBalance: { amount: '998750.00', currency: 'NOK' },
        bookedBalance: { amount: '1000000.00', currency: 'NOK' },
        timestamp: '2026-11-23T09:00:52.118Z',
      },
    },
  ],
  listBanks: [{ summary: 'The banks of Norway', params: { countryCode: 'NO' }, answer: [fjordbanken] }],
  getBank: [{ summary: 'Fjordbanken', params: { countryCode: 'NO', bic }, answer: fjordbanken }],
  listCompanies: [{ summary: 'The demo company', answer: [demoCompany] }],
  listAccountEntries: [
    {
      summary: 'A payment initiated through Havn, and a pending entry',
      params: { accountId },
      query: november,
      answer: { accountEntries: [paid, received] },
    },
  ],
  listExtendedAccountEntries: [
    {
      summary: 'An entry with details from the bank',
      params: { accountId },
      query: november,
      answer: { accountEntries: [{ ...paid, enriched: true }] },
    },
  ],
  getAccountEntryDetails: [
    {
      summary: 'A payment initiated through Havn',
      params: { accountId, transactionId: paid.transactionId },
      answer: { ...paid, enriched: true },
    },
  ],
} satisfies Partial<ExamplesById>
