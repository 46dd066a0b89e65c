/** Examples of the operations on account entries. */
import type {
  AccountEntry,
  getAccountEntryDetails,
  listAccountEntries,
  listExtendedAccountEntries,
} from '../account-entries.ts'
import type { Examples } from '../operation.ts'
import { accountId, companyName, paymentId } from './demo-fixture.ts'

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

export const listAccountEntriesExamples: Examples<typeof listAccountEntries> = [
  {
    summary: 'A payment initiated through Havn, and a pending entry',
    params: { accountId },
    query: november,
    answer: { accountEntries: [paid, received] },
  },
]

export const listExtendedAccountEntriesExamples: Examples<typeof listExtendedAccountEntries> = [
  {
    summary: 'An entry with details from the bank',
    params: { accountId },
    query: november,
    answer: { accountEntries: [{ ...paid, enriched: true }] },
  },
]

export const getAccountEntryDetailsExamples: Examples<typeof getAccountEntryDetails> = [
  {
    summary: 'A payment initiated through Havn',
    params: { accountId, transactionId: paid.transactionId },
    answer: { ...paid, enriched: true },
  },
]
