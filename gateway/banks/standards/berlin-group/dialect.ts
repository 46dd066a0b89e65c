/** What differs between banks that speak NextGenPSD2: the settings under `dialect` in a bank's profile. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { BankProfile } from '../../directory/bank.ts'
import { schemaFaults } from '../../directory/schema-errors.ts'
import { SignatureTerms } from './transport/signature-settings.ts'

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

/** How a bank's cross-border product differs; the standard leaves most of it to the banks. */
const CrossBorder = closed({
  product: Product,
  /** As for domestic payments: the standard's core has none here. */
  endToEndIdMax: OrNone(Type.Integer({ minimum: 16, maximum: 35 })),
  /** Member that names a receiver's IBAN: some banks take it as any other number. */
  ibanMember: Type.Enum(['iban', 'bban']),
  /** Member for the clearing code of the receiver's bank; null where the bank goes by the BIC alone. */
  clearingCode: OrNone(Member),
  /** Its word for shared charges; null where the product has none to choose. */
  chargeBearer: OrNone(Code),
  /** Members for what authorities are told; null where they are told nothing. */
  regulatoryReporting: OrNone(closed({ code: Member, information: OrNone(Member) })),
})
export type CrossBorderDialect = Static<typeof CrossBorder>

const Dialect = closed({
  /** Payment product of each rail, as it stands in the path; a bank with one product for all names it for all. */
  products: closed({
    account: Product,
    bankgiro: Type.Optional(Product),
    plusgiro: Type.Optional(Product),
    'payment-form': Type.Optional(Product),
  }),
  /** Member that names an account; where it is `iban`, an account without a certain IBAN is still named by its number. */
  accounts: Type.Enum(['bban', 'iban']),
  /** `schemeNameProprietary` beside the creditor number of a Danish payment form. */
  paymentFormScheme: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{1,35}$' })),
  /** Longest `endToEndIdentification` that the bank takes; null where it takes none, as in the Norwegian product. */
  endToEndIdMax: OrNone(Type.Integer({ minimum: 16, maximum: 35 })),
  /** How a message to the receiver travels. */
  message: closed({
    member: Type.Enum(['remittanceInformationUnstructured', 'remittanceInformationUnstructuredArray']),
    /** A list takes a long message in pieces of this length. */
    pieceMax: Type.Optional(Type.Integer({ minimum: 10, maximum: 140 })),
    /** Where messages to a giro number are references, their type. */
    giroReferenceType: Type.Optional(Code),
  }),
  /** How a structured reference travels; where it is absent, as the standard's file has it, which is `string`. */
  reference: Type.Optional(
    closed({
      /**
       * `string`: `remittanceInformationStructured` is a text of up to 140 characters. `object`: the same member is an
       * object with a type. `array`: `remittanceInformationStructuredArray` holds one such object.
       */
      form: Type.Enum(['string', 'object', 'array']),
      /** `referenceType` of the object. */
      type: Type.Optional(Code),
    }),
  ),
  /** Member that carries the debtor's own reference; null where the bank takes none. */
  debtorReference: OrNone(Member),
  /** What the members of `creditorAddress` are called; absent where the product has no address. */
  creditorAddress: Type.Optional(AddressMembers),
  /** Cross-border payments; absent where the bank offers none. */
  crossBorder: Type.Optional(CrossBorder),
  /** Whether the product has `purposeCode`. */
  purposeCode: Type.Boolean(),
  /** Whether bulks carry `paymentInformationId`, our id of them: the standard's file has it in answers only. */
  paymentInformationId: Type.Optional(Type.Boolean()),
  /** Headers and query that every call carries; `{bic}` stands for the bank's own. */
  onEveryCall: Type.Optional(closed({ headers: Texts, query: Texts })),
  /** Query of an initiation alone. */
  initiationQuery: Type.Optional(Texts),
  /** How messages are signed, where that is not the standard's way; `none` where the bank takes no signatures. */
  signature: Type.Optional(Type.Union([SignatureTerms, Type.Literal('none')])),
  /** Statuses that an order can have before it is signed; each of the others proves the signature. */
  unsignedStatuses: Type.Array(Type.Enum(['RCVD', 'PDNG', 'ACTC', 'ACWC', 'ACCP', 'ACFC']), {
    minItems: 1,
    uniqueItems: true,
  }),
  /** Words of the bank's own, and the standard's status that each of them is. */
  ownStatuses: Type.Optional(
    Type.Record(Type.String({ pattern: '^[A-Za-z]{1,35}$' }), Type.String({ pattern: '^[A-Z]{4}$' })),
  ),
  /** Code of a message that tells of an order held until its user confirms by SMS; null where the bank holds none. */
  heldForSmsCode: OrNone(Code),
  /** What the bank answers when asked for an authorisation that is over: how it ended, or 400 with one of these codes. */
  endedAuthorisation: Type.Union([Type.Literal('told'), Type.Array(Code, { minItems: 1, uniqueItems: true })]),
  /**
   * When the bank begins an authorisation. `explicit`: when asked to, so creations carry
   * `TPP-Explicit-Authorisation-Preferred: true`. `implicit`: with every creation, whatever is preferred, so they carry
   * no preference; that first authorisation is not used, because its link expires before the user comes to sign.
   * Under either the connector starts an authorisation of its own when the user signs.
   */
  authorisations: Type.Enum(['explicit', 'implicit']),
  /** Query parameter in which browsers bring a code that confirms the signature; null where banks want none. */
  confirmationParameter: OrNone(Member),
  /** How the code for the user's app comes, and the headers that ask for it. */
  qr: Type.Optional(
    closed({ carrier: Type.Enum(['image', 'imageLink', 'autoStartToken']), headers: Type.Optional(Texts) }),
  ),
  /** Where users sign in before anything is asked for: the authorisation server's metadata, and what is asked of it. */
  signIn: Type.Optional(
    closed({
      metadata: Type.String({ minLength: 1, maxLength: 200 }),
      scope: Type.String({ minLength: 1, maxLength: 100 }),
    }),
  ),
  /** What authorisation servers call us; by the standard it is the licence in our certificate. */
  clientId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Which accounts a consent asks for: what the user picks at the bank, or all the user may see. */
  consentAccess: Type.Enum(['bank-offered', 'all-accounts']),
  /** Whether the consent asks for the names of the accounts' owners. */
  askOwnerName: Type.Boolean(),
  /** How entries are told. */
  entries: closed({
    /** Whether pending ones can be had together with the others, or have to be asked for by themselves. */
    pending: Type.Enum(['together', 'apart']),
    /** Member that an entry keeps when it is booked; null where none is sure to last. */
    lastingId: OrNone(Type.Enum(['transactionId', 'entryReference', 'endToEndId'])),
  }),
  /** Reads a day and account that the bank grants while the user is away. */
  frequencyPerDay: Type.Integer({ minimum: 1, maximum: 100 }),
  /** Matches the bank's text on a failed authorisation that the user left rather than refused, ignoring case. */
  cancelledText: Type.String({ format: 'regex', minLength: 1 }),
  /** The same of one whose time passed. */
  lapsedText: Type.String({ format: 'regex', minLength: 1 }),
})

export type Dialect = Static<typeof Dialect>

const validator = Compile(Dialect)
const dialectByProfile = new WeakMap<BankProfile, Dialect>()

/** The dialect of a profile; throws with every fault when the settings are no dialect. */
export function dialectOf(profile: BankProfile): Dialect {
  const known = dialectByProfile.get(profile)
  if (known !== undefined) {
    return known
  }
  const dialect = readDialect(profile.dialect)
  dialectByProfile.set(profile, dialect)
  return dialect
}

/** Checks settings; the error names every member that is wrong. */
export function readDialect(settings: unknown): Dialect {
  const faults = validator.Check(settings)
    ? missingFor(settings)
    : schemaFaults(validator.Errors(settings)).map((fault) => `dialect${fault}`)
  if (!validator.Check(settings) || faults.length > 0) {
    throw new Error(`The Berlin Group dialect is not usable: ${faults.join('; ')}`)
  }
  return settings
}

/** What only some rails and forms need. */
function missingFor({ products, paymentFormScheme, reference, message }: Dialect): readonly string[] {
  const isText = reference === undefined || reference.form === 'string'
  return [
    ...(products['payment-form'] !== undefined && paymentFormScheme === undefined
      ? ['dialect/paymentFormScheme: must name the scheme of creditor numbers']
      : []),
    ...(isText || reference.type !== undefined ? [] : ['dialect/reference/type: must name the type of references']),
    ...(isText && message.giroReferenceType !== undefined
      ? ['dialect/message/giroReferenceType: needs a reference of the form object or array, which has a type']
      : []),
  ]
}

/** An object in which a misspelt member is a mistake. */
function closed<const Properties extends Parameters<typeof Type.Object>[0]>(
  properties: Properties,
): Type.TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false })
}
