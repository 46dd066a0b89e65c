/** Maps error codes of the standard to error kinds, by the purpose of the request. */
import type { BankErrorKind } from '../../../connector/bank-error.ts'

/** Purpose of a request, as far as the meaning of an error depends on it. */
export type RequestPurpose =
  | 'initiation'
  | 'cancellation'
  | 'authorisation'
  | 'confirmation'
  | 'basket'
  | 'consent'
  | 'account'
  | 'entries'
  | 'entry'
  | 'status'

type KindByPurpose =
  | BankErrorKind
  | (Partial<Record<RequestPurpose, BankErrorKind>> & { readonly otherwise: BankErrorKind })

/** Nothing was done. The content of an order, of a basket or of a confirmation is at fault. */
const CONTENT_REJECTED = {
  initiation: 'order-rejected',
  basket: 'basket-rejected',
  confirmation: 'access-denied',
  otherwise: 'request-rejected',
} as const satisfies KindByPurpose

/** Nothing says that the request was not processed: a 406 is about the form of the answer, which comes after it. */
const afterProcessing = (otherwise: BankErrorKind): KindByPurpose => ({
  initiation: 'outcome-unknown',
  cancellation: 'outcome-unknown',
  basket: 'outcome-unknown',
  otherwise,
})

/** Reads involve no SCA. */
const OF_SCA = {
  account: 'request-rejected',
  entries: 'request-rejected',
  entry: 'request-rejected',
  status: 'request-rejected',
} as const

/** Codes that mean the same for every purpose. */
const codesByKind: readonly (readonly [kind: BankErrorKind, codes: readonly string[]])[] = [
  ['consent-invalid', ['CONSENT_UNKNOWN', 'CONSENT_INVALID', 'CONSENT_EXPIRED']],
  ['token-invalid', ['TOKEN_UNKNOWN', 'TOKEN_INVALID', 'TOKEN_EXPIRED']],
  ['access-denied', ['SERVICE_BLOCKED', 'CORPORATE_ID_INVALID']],
  ['unsupported-product', ['PRODUCT_UNKNOWN', 'PRODUCT_INVALID', 'CARD_INVALID', 'NO_PIIS_ACTIVATION']],
  ['unsupported-product', ['PARAMETER_NOT_SUPPORTED', 'SESSIONS_NOT_SUPPORTED']],
  ['basket-rejected', ['REFERENCE_MIX_INVALID', 'REFERENCE_STATUS_INVALID']],
  ['cancellation-rejected', ['CANCELLATION_INVALID']],
  ['misconfigured', ['CERTIFICATE_INVALID', 'CERTIFICATE_EXPIRED', 'CERTIFICATE_BLOCKED', 'CERTIFICATE_MISSING']],
  ['misconfigured', ['CERTIFICATE_REVOKE', 'CERTIFICATE_REVOKED', 'ROLE_INVALID']],
  ['misconfigured', ['SIGNATURE_INVALID', 'SIGNATURE_MISSING', 'TIMESTAMP_INVALID']],
  ['request-rejected', ['REQUESTED_FORMATS_INVALID']],
]

/**
 * Every code of the standard, for every purpose. A map, because a plain object also has properties such as
 * `constructor`.
 */
const meaningByCode: ReadonlyMap<string, KindByPurpose> = new Map([
  ...codesByKind.flatMap(([kind, codes]) => codes.map((code): [string, KindByPurpose] => [code, kind])),
  ...Object.entries<KindByPurpose>({
    PSU_CREDENTIALS_INVALID: { confirmation: 'access-denied', otherwise: 'consent-invalid' },
    SERVICE_INVALID: { cancellation: 'cancellation-rejected', otherwise: 'unsupported-product' },

    // The text of the standard and its OpenAPI file spell this one differently.
    KID_MISSING: { initiation: 'ocr-rejected', otherwise: 'request-rejected' },
    REQUIRED_KID_MISSING: { initiation: 'ocr-rejected', otherwise: 'request-rejected' },

    RESOURCE_UNKNOWN: {
      initiation: 'account-unknown',
      account: 'account-unknown',
      entries: 'account-unknown',
      consent: 'consent-invalid',
      otherwise: 'unknown-resource',
    },
    RESOURCE_EXPIRED: {
      initiation: 'order-rejected',
      account: 'account-unknown',
      entries: 'account-unknown',
      otherwise: 'expired-resource',
    },
    // A payment in a signing basket, or an account closed for orders.
    RESOURCE_BLOCKED: {
      cancellation: 'cancellation-rejected',
      authorisation: 'authentication-busy',
      basket: 'basket-rejected',
      otherwise: 'access-denied',
    },
    STATUS_INVALID: {
      initiation: 'order-rejected',
      cancellation: 'cancellation-rejected',
      authorisation: 'authentication-busy',
      basket: 'basket-rejected',
      consent: 'consent-invalid',
      confirmation: 'access-denied',
      otherwise: 'request-rejected',
    },

    EXECUTION_DATE_INVALID: { initiation: 'due-date-rejected', otherwise: 'request-rejected' },
    // The id is the one field that a partner chooses; some banks read it before they look for the entry.
    FORMAT_ERROR: { ...CONTENT_REJECTED, entry: 'unknown-resource' },
    PARAMETER_NOT_CONSISTENT: CONTENT_REJECTED,
    PAYMENT_FAILED: { initiation: 'order-rejected', otherwise: 'request-rejected' },
    FUNDS_NOT_AVAILABLE: { initiation: 'order-rejected', otherwise: 'request-rejected' },
    PERIOD_INVALID: { ...CONTENT_REJECTED, entries: 'period-rejected' },

    ACCESS_EXCEEDED: {
      account: 'too-many-reads',
      entries: 'too-many-reads',
      entry: 'too-many-reads',
      otherwise: 'unavailable',
    },

    SCA_METHOD_UNKNOWN: { ...OF_SCA, otherwise: 'unsupported' },
    // Of a read it says that the authorisation has ended: see `endedAuthorisation`.
    SCA_INVALID: { ...OF_SCA, otherwise: 'access-denied' },
  }),
])

/**
 * What a status means without a code that is known. Orders count as rejected by those of which RFC 9110 or 6585 says that
 * the request is not served; a payroll submits its transactions again after them. By 404 and 410 the answer may come from a load balancer: they must
 * not be taken as proof that an order does not exist.
 */
const meaningByStatus: ReadonlyMap<number, KindByPurpose> = new Map<number, KindByPurpose>([
  ...[404, 410, 411, 412, 414, 415, 417, 426, 428, 431].map((status) => [status, 'request-rejected'] as const),
  [400, codeMeaning('FORMAT_ERROR')],
  [401, 'token-invalid'],
  [402, afterProcessing('access-denied')],
  [403, codeMeaning('SERVICE_BLOCKED')],
  [405, codeMeaning('SERVICE_INVALID')],
  [406, afterProcessing('request-rejected')],
  [407, 'misconfigured'],
  // Without a code of the standard it may also mean that the bank already has this order.
  [409, { ...Object(codeMeaning('STATUS_INVALID')), initiation: 'outcome-unknown' }],
  [413, CONTENT_REJECTED],
  [416, afterProcessing('request-rejected')],
  [422, CONTENT_REJECTED],
  [429, codeMeaning('ACCESS_EXCEEDED')],
  [451, 'access-denied'],
])

/** Statuses by which a request may have been processed, or may be accepted in a moment, whatever their body says. */
const UNCERTAIN_STATUSES: ReadonlySet<number> = new Set([408, 425, 499])

function codeMeaning(code: string): KindByPurpose {
  return meaningByCode.get(code) ?? 'request-rejected'
}

/** The error kind of a 4xx answer; the code may be unknown or absent. */
export function errorKindOf(purpose: RequestPurpose, status: number, code: string | undefined): BankErrorKind {
  if (UNCERTAIN_STATUSES.has(status)) {
    return uncertainKind(purpose)
  }
  // The status distinguishes an account without access for the user from an unknown account.
  if (purpose === 'initiation' && status === 403 && code === 'RESOURCE_UNKNOWN') {
    return 'access-denied'
  }
  // A status that no standard defines says nothing about an order.
  const meaning = meaningByCode.get(code ?? '') ?? meaningByStatus.get(status) ?? afterProcessing('request-rejected')
  return typeof meaning === 'string' ? meaning : (meaning[purpose] ?? meaning.otherwise)
}

/** Orders, their cancellation, and baskets, which block the orders in them. */
export const HAS_SIDE_EFFECTS: ReadonlySet<RequestPurpose> = new Set(['initiation', 'cancellation', 'basket'])

/** The kind where the bank may or may not have processed the request. */
export function uncertainKind(purpose: RequestPurpose): BankErrorKind {
  return HAS_SIDE_EFFECTS.has(purpose) ? 'outcome-unknown' : 'unavailable'
}

/** Whether the standard, or a bank we met, defines the code. */
export function isKnownCode(code: string): boolean {
  return meaningByCode.has(code)
}
