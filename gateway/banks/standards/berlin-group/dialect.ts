/** Parses the settings in which banks with NextGenPSD2 differ: `dialect` in a bank's profile. */

import { type Static, Type } from 'typebox'
import { closed } from '../../../platform/closed-schema.ts'
import { type BankProfile, byRail } from '../../connector/bank-profile.ts'
import { type SettingRule, settingErrors } from '../../connector/setting-errors.ts'

/** Each deviation was found at a bank, or in public code that banks run. */
export const SignatureSettings = closed({
  /** Headers that are signed if present, in this order. */
  headers: Type.Array(Type.Enum(['date', 'digest', 'x-request-id', 'psu-id', 'psu-corporate-id', 'tpp-redirect-uri']), {
    minItems: 2,
    uniqueItems: true,
  }),
  /** Whether they are signed in the listed or in alphabetical order. */
  order: Type.Enum(['listed', 'sorted']),
  algorithm: Type.Enum(['rsa-sha256', 'rsa-sha512']),
  digest: Type.Enum(['SHA-256', 'SHA-512']),
  /** Spaces of the issuer's name in `keyId`: as `%20`, like in the standard's sample, or unchanged. */
  keyIdSpaces: Type.Enum(['escaped', 'plain']),
  /** Format of `TPP-Signature-Certificate`: base64 of the DER, or the PEM text on one line. */
  certificate: Type.Enum(['der', 'pem']),
})
export type SignatureSettings = Static<typeof SignatureSettings>

/** As NextGenPSD2 1.3 has it (implementation guidelines, chapter 12). */
export const STANDARD_SIGNATURE: SignatureSettings = {
  headers: ['digest', 'x-request-id', 'psu-id', 'psu-corporate-id', 'tpp-redirect-uri'],
  order: 'listed',
  algorithm: 'rsa-sha256',
  digest: 'SHA-256',
  keyIdSpaces: 'escaped',
  certificate: 'der',
}

const Product = Type.String({ pattern: '^[a-z0-9.-]{1,70}$' })
const Member = Type.String({ pattern: '^[A-Za-z]{1,70}$' })
const Code = Type.String({ pattern: '^[A-Za-z0-9_]{1,50}$' })
const Texts = Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9-]{0,49}$' }), Type.String({ maxLength: 100 }))
const OrNone = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const AddressMembers = closed({
  streetName: Member,
  buildingNumber: Member,
  city: Member,
  postCode: Member,
  country: Member,
})

/** Settings of the cross-border product; the standard leaves most of it to the banks. */
const CrossBorder = closed({
  product: Product,
  /** As for domestic payments; the standard's core has none for cross-border payments. */
  endToEndIdMax: OrNone(Type.Integer({ minimum: 16, maximum: 35 })),
  /** Field for a creditor's IBAN: some banks use the one for any other number. */
  ibanMember: Type.Enum(['iban', 'bban']),
  /** Field for the clearing code of the creditor's bank; null where the bank uses only the BIC. */
  clearingCode: OrNone(Member),
  /** The bank's code for shared charges; null where the product has no such field. */
  chargeBearer: OrNone(Code),
  /** Fields of the regulatory reporting; null where the product has none. */
  regulatoryReporting: OrNone(closed({ code: Member, information: OrNone(Member) })),
})
export type CrossBorderDialect = Static<typeof CrossBorder>

const Dialect = closed({
  /** Payment product of each rail, as in the path; a bank with one product repeats it for all rails. */
  products: byRail(Product, Type.Optional(Product)),
  /** Field of an account number; with `iban`, an account whose IBAN cannot be derived is sent as `bban`. */
  accounts: Type.Enum(['bban', 'iban']),
  /** `schemeNameProprietary` of the creditor number of a Danish payment form. */
  paymentFormScheme: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{1,35}$' })),
  /** Longest accepted `endToEndIdentification`; null where the product has none, as the Norwegian one. */
  endToEndIdMax: OrNone(Type.Integer({ minimum: 16, maximum: 35 })),
  /** The field of a message to the creditor. */
  message: closed({
    member: Type.Enum(['remittanceInformationUnstructured', 'remittanceInformationUnstructuredArray']),
    /** A long message is split into list items of this length. */
    pieceMax: Type.Optional(Type.Integer({ minimum: 10, maximum: 140 })),
    /** Reference type of messages to a giro number, where they are sent as references. */
    giroReferenceType: Type.Optional(Code),
  }),
  /** The format of a structured reference; by default `string`, as in the standard's OpenAPI file. */
  reference: Type.Optional(
    closed({
      /**
       * `string`: `remittanceInformationStructured` is a text of up to 140 characters. `object`: the same field is an
       * object with a type. `array`: `remittanceInformationStructuredArray` holds one such object.
       */
      form: Type.Enum(['string', 'object', 'array']),
      /** `referenceType` of the object. */
      type: Type.Optional(Code),
    }),
  ),
  /** Field of the debtor's own reference; null where the bank has none. */
  debtorReference: OrNone(Member),
  /** Field names in `creditorAddress`; absent where the product has no address. */
  creditorAddress: Type.Optional(AddressMembers),
  crossBorder: Type.Optional(CrossBorder),
  /** Whether the product has `purposeCode`. */
  purposeCode: Type.Boolean(),
  /** Whether bulks are sent with `paymentInformationId`, our id: the standard's OpenAPI file has it only in answers. */
  paymentInformationId: Type.Optional(Type.Boolean()),
  /** Headers and query parameters of every call; `{bic}` is replaced by the bank's BIC. */
  onEveryCall: Type.Optional(closed({ headers: Texts, query: Texts })),
  /** Query parameters of initiations only. */
  initiationQuery: Type.Optional(Texts),
  /** Headers that the bank requires of an initiation also where the user is away, and what we send there. */
  unattendedInitiationHeaders: Type.Optional(Texts),
  /** Deviations of message signatures from the standard; `none` where the bank accepts no signatures. */
  signature: Type.Optional(Type.Union([SignatureSettings, Type.Literal('none')])),
  /** Statuses that an order can have before it is signed; every other status proves the signature. */
  unsignedStatuses: Type.Array(Type.Enum(['RCVD', 'PDNG', 'ACTC', 'ACWC', 'ACCP', 'ACFC']), {
    minItems: 1,
    uniqueItems: true,
  }),
  /** Proprietary status codes of the bank, and the standard status of each. */
  ownStatuses: Type.Optional(
    Type.Record(Type.String({ pattern: '^[A-Za-z]{1,35}$' }), Type.String({ pattern: '^[A-Z]{4}$' })),
  ),
  /** Message code for an order that waits for confirmation by SMS; null where the bank has none. */
  heldForSmsCode: OrNone(Code),
  /** The response for a finished authorisation: its result (`reported`), or 400 with one of these codes. */
  endedAuthorisation: Type.Union([Type.Literal('reported'), Type.Array(Code, { minItems: 1, uniqueItems: true })]),
  /**
   * When the bank starts an authorisation. `explicit`: on request, so creations are sent with
   * `TPP-Explicit-Authorisation-Preferred: true`. `implicit`: with every creation, so they are sent without a
   * preference; that authorisation is not used, because its link expires before the user comes to sign.
   * In both cases the connector starts another authorisation when the user signs.
   */
  authorisations: Type.Enum(['explicit', 'implicit']),
  /** Query parameter of the callback with the confirmation code; null where the bank requires none. */
  confirmationParameter: OrNone(Member),
  /** The format of the code for the user's app, and the headers that request it. */
  qr: Type.Optional(
    closed({ carrier: Type.Enum(['image', 'imageLink', 'autoStartToken']), headers: Type.Optional(Texts) }),
  ),
  /** For banks that require sign-in first: URL of the authorisation server's metadata, and the scope. */
  signIn: Type.Optional(
    closed({
      metadata: Type.String({ minLength: 1, maxLength: 200 }),
      scope: Type.String({ minLength: 1, maxLength: 100 }),
    }),
  ),
  /** Our client id at authorisation servers; by the standard it is the licence number in our certificate. */
  clientId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Which accounts a consent requests: those that the user selects at the bank, or all. */
  consentAccess: Type.Enum(['bank-offered', 'all-accounts']),
  /** Whether the consent requests the names of the accounts' owners. */
  askOwnerName: Type.Boolean(),
  /** How entries are listed. */
  entries: closed({
    /** Whether pending entries can be requested together with booked ones, or only separately. */
    pending: Type.Enum(['together', 'apart']),
    /** Field that keeps its value when an entry is booked; null where there is none. */
    lastingId: OrNone(Type.Enum(['transactionId', 'entryReference', 'endToEndId'])),
  }),
  /** Reads per day and account that the bank allows without the user. */
  frequencyPerDay: Type.Integer({ minimum: 1, maximum: 100 }),
  /** Matches, ignoring case, the bank's text for an authorisation that the user left rather than declined. */
  cancelledText: Type.String({ format: 'regex', minLength: 1 }),
  /** The same for an expired authorisation. */
  lapsedText: Type.String({ format: 'regex', minLength: 1 }),
})

export type Dialect = Static<typeof Dialect>

const dialectByProfile = new WeakMap<BankProfile, Dialect>()

/** The dialect of a profile. Throws an error with every fault when the settings are invalid. */
export function dialectOf(profile: BankProfile): Dialect {
  const known = dialectByProfile.get(profile)
  if (known !== undefined) {
    return known
  }
  const dialect = parseDialect(profile.dialect)
  dialectByProfile.set(profile, dialect)
  return dialect
}

/** Validates settings. Throws an error that names every wrong field. */
export function parseDialect(settings: unknown): Dialect {
  const errors = dialectErrors(settings)
  if (errors.length > 0) {
    throw new Error(`The Berlin Group dialect is not usable: ${errors.join('; ')}`)
  }
  return settings as Dialect
}

/** What is wrong with settings; empty for valid ones. */
export function dialectErrors(settings: unknown): readonly string[] {
  return settingErrors(Dialect, settings, { rules: RULES, at: '/dialect' })
}

/** Requirements of certain rails and formats. */
const RULES: readonly SettingRule<Dialect>[] = [
  {
    reads: ['/products', '/paymentFormScheme'],
    errors: ({ products, paymentFormScheme }) =>
      products['payment-form'] !== undefined && paymentFormScheme === undefined
        ? ['/dialect/paymentFormScheme: must name the scheme of creditor numbers']
        : [],
  },
  {
    reads: ['/reference'],
    errors: ({ reference }) =>
      isTextReference(reference) || reference?.type !== undefined
        ? []
        : ['/dialect/reference/type: must name the type of references'],
  },
  {
    reads: ['/reference', '/message'],
    errors: ({ reference, message }) =>
      isTextReference(reference) && message.giroReferenceType !== undefined
        ? ['/dialect/message/giroReferenceType: needs a reference of the form object or array, which has a type']
        : [],
  },
]

function isTextReference(reference: Dialect['reference']): boolean {
  return reference === undefined || reference.form === 'string'
}

const VERSION = 'v1'
export const VERSION_PATH = `/${VERSION}`

/** What follows the version in the URLs of the standard. */
const SERVICES: ReadonlySet<string> = new Set([
  ...['payments', 'bulk-payments', 'periodic-payments', 'signing-baskets', 'funds-confirmations'],
  ...['consents', 'accounts', 'card-accounts'],
])

/** An address without the version and what follows it, where it ends with them. */
export function withoutVersion(address: string): string {
  const segments = address.split('/')
  const used = segments.slice(0, segments.findLastIndex((segment) => segment !== '') + 1)
  const at = used.lastIndexOf(VERSION)
  const next = used[at + 1]
  return at === -1 || (next !== undefined && !SERVICES.has(next)) ? address : used.slice(0, at).join('/')
}
