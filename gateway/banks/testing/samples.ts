/** Valid samples for tests of connectors: a bank, a caller with a present user, and an order. */
import shipped from '../../../data/bank-profiles/norwegian-redirect.json' with { type: 'json' }
import type { Bank } from '../connector/bank.ts'
import { type DomesticOrder, type SubmittedOrder, submittedAs } from '../connector/bank-order.ts'
import type { BankCaller } from '../connector/connector.ts'
import type { AuthorisationRequest, ReturnUrls } from '../connector/sca-authorisation.ts'
import { parseBankProfile } from '../directory/validate-bank-profile.ts'
import { supportedFieldsOf } from '../standards/berlin-group/payments/order-body.ts'

/** A Norwegian bank, with overrides of its dialect. */
export function sampleBank({ dialect = {}, ...change }: Partial<Bank> & { dialect?: object } = {}): Bank {
  const settings = { ...shipped, dialect: { ...shipped.dialect, ...dialect } }
  const profile = change.profile ?? parseBankProfile('norwegian-redirect.json', JSON.stringify(settings))
  return {
    bic: 'FJORNO22',
    name: 'Fjordbanken',
    countryCode: 'NO',
    connector: 'berlin-group',
    address: 'https://xs2a.fjordbanken.example/psd2',
    certificate: null,
    linkHosts: ['xs2a.fjordbanken.example', 'sign.fjordbanken.example'],
    profile,
    supports: supportedFieldsOf(profile),
    ...change,
  }
}

/** A caller with a present user. */
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

export function sampleOrder(change: Partial<DomesticOrder> = {}): DomesticOrder {
  return {
    endToEndId: 'invoice-4711',
    rail: change.creditor?.account.type ?? 'account',
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

export function sampleSubmittedOrder(bankPaymentId = 'p1'): SubmittedOrder {
  return submittedAs(sampleOrder(), bankPaymentId)
}

/** Our return and notification URLs. No one listens there, and a bank that notifies asks no name server. */
export const SAMPLE_RETURN_URLS: ReturnUrls = {
  success: 'https://127.0.0.1:9/return/1?ok',
  failure: 'https://127.0.0.1:9/return/1?nok',
  notification: 'https://127.0.0.1:9/hints/1',
}

/** An authorisation request without a preferred SCA approach. */
export const SAMPLE_AUTHORISATION_REQUEST: AuthorisationRequest = { back: SAMPLE_RETURN_URLS, preferred: null }
