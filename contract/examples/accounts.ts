/** Examples of the operations on accounts, banks and companies. */
import type { getAccountBalance, listAccounts } from '../accounts.ts'
import type { Bank, getBank, listBanks } from '../banks.ts'
import type { listCompanies } from '../companies.ts'
import type { Examples } from '../operation.ts'
import { accountId, bic, companyName, organizationNumber, userId } from './demo-fixture.ts'

export const listAccountsExamples: Examples<typeof listAccounts> = [
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
]

export const getAccountBalanceExamples: Examples<typeof getAccountBalance> = [
  {
    summary: 'The available balance is below the booked balance',
    params: { accountId },
    answer: {
      availableBalance: { amount: '998750.00', currency: 'NOK' },
      bookedBalance: { amount: '1000000.00', currency: 'NOK' },
      timestamp: '2026-11-23T09:00:52.118Z',
    },
  },
]

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

export const listBanksExamples: Examples<typeof listBanks> = [
  { summary: 'The banks of Norway', params: { countryCode: 'NO' }, answer: [fjordbanken] },
]

export const getBankExamples: Examples<typeof getBank> = [
  { summary: 'Fjordbanken', params: { countryCode: 'NO', bic }, answer: fjordbanken },
]

export const listCompaniesExamples: Examples<typeof listCompanies> = [
  {
    summary: 'The demo company',
    answer: [
      {
        organizationNumber,
        country: 'NO',
        name: companyName,
        activeSubscription: true,
        services: ['AIS', 'PIS'],
        onboardingId: null,
      },
    ],
  },
]
