/** Valid samples for tests of connectors: a bank, a caller whose user is there, and an order. */
import shipped from '../../../data/bank-profiles/norwegian-redirect.json' with { type: 'json' }
import type { BankCaller } from '../connector/connector.ts'
import type { DomesticOrder } from '../connector/domestic-order.ts'
import type { PlacedOrder } from '../connector/order-at-bank.ts'
import type { AuthorisationAsked, ReturnAddresses } from '../connector/sca-authorisation.ts'
import type { Bank } from '../directory/bank.ts'
import { parseBankProfile } from '../directory/bank-profile.ts'

/** A Norwegian bank; `dialect` changes single settings of how it speaks. */
export function sampleBank({ dialect = {}, ...change }: Partial<Bank> & { dialect?: object } = {}): Bank {
  const profile = { ...shipped, dialect: { ...shipped.dialect, ...dialect } }
  return {
    bic: 'FJORNO22',
    name: 'Fjordbanken',
    countryCode: 'NO',
    connector: 'berlin-group',
    address: 'https://xs2a.fjordbanken.example/psd2',
    linkHosts: ['xs2a.fjordbanken.example', 'sign.fjordbanken.example'],
    profile: parseBankProfile('norwegian-redirect.json', JSON.stringify(profile)),
    ...change,
  }
}

/** A caller whose user sits at the screen. */
export function sampleCaller(change: Partial<BankCaller> = {}): BankCaller {
  return {
    bank: sampleBank(),
    userId: '01815012345',
    organisationNumber: '987654325',
    bankConsentId: 'consent-1',
    accessToken: null,
    psu: { ipAddress: '192.0.2.10', userAgent: 'Mozilla/5.0', headers: { 'psu-accept-language': 'nb' } },
    ...change,
  }
}

/** An order with a message. */
export function sampleOrder(change: Partial<DomesticOrder> = {}): DomesticOrder {
  return {
    endToEndId: 'invoice-4711',
    debtor: { bban: '80501100017', iban: null, name: 'Nordlys Handel AS', currency: 'NOK' },
    creditor: {
      account: { type: 'account', bban: '80501200011', iban: null },
      name: 'Granli Trelast AS',
    },
    amount: { minor: 125_000n, currency: 'NOK' },
    dueDate: Temporal.PlainDate.from('2026-12-01'),
    remittance: { type: 'message', value: 'Faktura 4711' },
    purposeCode: null,
    ...change,
  }
}

/** That order once a bank holds it. */
export function samplePlaced(bankPaymentId = 'p1'): PlacedOrder {
  return { bankPaymentId, debtorBban: '80501100017', creditorBban: '80501200011' }
}

/** Addresses of ours that a bank is given. */
export const SAMPLE_RETURN: ReturnAddresses = {
  success: 'https://gateway.example/return/1?ok',
  failure: 'https://gateway.example/return/1?nok',
  notification: 'https://gateway.example/hints/1',
}

/** How a user without a wish for one way begins to sign. */
export const SAMPLE_ASKED: AuthorisationAsked = { back: SAMPLE_RETURN, preferred: null }
