/** The schema of a bank profile: dialect, requirements and behaviour; a new bank is a new row. */
import { type Static, Type } from 'typebox'
import { closed } from '../../gateway/platform/closed-schema.ts'

export const Decimal = Type.String({ pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,2})?$' })
export const Bic = Type.String({ pattern: '^[A-Z0-9]{8}([A-Z0-9]{3})?$' })
export const Currency = Type.String({ pattern: '^[A-Z]{3}$' })
/** The payment rails; all but the last are domestic. */
export const Rail = Type.Enum(['account', 'bankgiro', 'plusgiro', 'payment-form', 'cross-border'])
export type Rail = Static<typeof Rail>

const LocalTime = Type.String({ pattern: '^[0-2][0-9]:[0-5][0-9]$' })
const Member = Type.String({ pattern: '^[A-Za-z]{1,70}$' })
/** Until when a payment to another bank must be authorised to be executed on a day. */
const CutOff = closed({ localTime: LocalTime, bankDaysBefore: Type.Integer({ minimum: 0, maximum: 5 }) })

const Bulk = closed({
  /** Maximum number of payments in a bulk. */
  max: Type.Integer({ minimum: 1 }),
  /** Whether it is booked as one entry where the third party prefers batch booking. */
  batchBooking: Type.Boolean(),
  /** Whether a request may have a payment information id: the standard's file has none. */
  paymentInformationId: Type.Boolean(),
  /** How the payments in a bulk are reported: with ids of their own, as a list with statuses, or not at all. */
  elements: Type.Enum(['own-ids', 'listed', 'none']),
  inBaskets: Type.Boolean(),
})

const CrossBorder = closed({
  /** The field that holds an IBAN. */
  ibanMember: Type.Enum(['iban', 'bban']),
  /** The bank's charge bearer codes. */
  chargeBearers: Type.Array(Type.String({ pattern: '^[A-Z]{3,4}$' }), { minItems: 1 }),
  /** Regulatory reporting of payments above an amount in the bank's currency; null without. */
  reporting: Type.Union([
    closed({ above: Decimal, codePattern: Type.String(), takesInformation: Type.Boolean() }),
    Type.Null(),
  ]),
})

const responseProperties = {
  /** A is the standard's own error format, B is problem details. */
  errorFormat: Type.Enum(['A', 'B']),
  links: Type.Enum(['absolute', 'relative']),
  /** Whether a creation response has a self link in addition to the `Location` header. */
  selfLink: Type.Boolean(),
  /** Whether responses contain links that the standard does not define. */
  strangeLinks: Type.Boolean(),
  /** The field for a message about a status: the standard's text and its file differ. */
  statusMessage: Type.Enum(['none', 'tppMessage', 'tppMessages']),
  /** Whether responses repeat the request's `X-Request-ID`, or have one of their own. */
  echoesRequestId: Type.Boolean(),
  notifies: Type.Boolean(),
  cancellationList: Type.Enum(['authorisationIds', 'cancellationIds']),
  entries: closed({
    /** How a list longer than a page is returned: with page links, as a whole, or as a download. */
    paging: Type.Enum(['links', 'whole', 'download']),
    /** Whether lists omit the remittance information of an entry; its details contain it. */
    lists: Type.Enum(['full', 'brief']),
    /** Whether the details of an entry can be read. */
    details: Type.Boolean(),
    /** Whether pending entries are shown, and together with booked ones or only separately. */
    pending: Type.Enum(['together', 'apart', 'none']),
    /**
     * What an entry retains when it is booked: its id; its reference, while the id changes; its reference as the only
     * id; the end-to-end id; nothing.
     */
    keeps: Type.Enum(['id', 'reference', 'reference-alone', 'end-to-end-id', 'nothing']),
    /** For how long a booked entry is still shown as pending too. */
    shownTwiceMinutes: Type.Integer({ minimum: 0 }),
  }),
} as const

/** Requirements on calls and orders. */
const requestRequirements = {
  /**
   * Headers and query parameters that every call requires; a `bic` is the bank's own.
   * `userHeaders`: of calls that need a user.
   */
  required: closed({
    headers: Type.Array(Type.String()),
    query: Type.Array(Type.String()),
    userHeaders: Type.Array(Type.String()),
  }),
  psuIdRequired: Type.Boolean(),
  /** Whether signed messages must have a `Date` header that is signed first. */
  signsDate: Type.Optional(Type.Boolean()),
  products: Type.Array(closed({ name: Type.String(), rails: Type.Array(Rail, { minItems: 1 }) }), { minItems: 1 }),
  /** How orders may identify accounts, and responses do. */
  accountForms: Type.Array(Type.Enum(['bban', 'iban']), { minItems: 1 }),
  creditorNameRequired: Type.Boolean(),
  endToEndId: Type.Enum(['kept', 'rejected']),
  message: closed({
    /** Whether a message is one text, or a list of lines; also in entries. */
    member: Type.Enum(['text', 'list']),
    /** Maximum characters of the message, or of each line of a list. */
    max: Type.Integer({ minimum: 1, maximum: 140 }),
    /** The same for payments to other banks; null when there is no difference. */
    toOthersMax: Type.Union([Type.Integer({ minimum: 1, maximum: 140 }), Type.Null()]),
    /** Leading digits of the bank's own account numbers, also where the fixture has no such account. */
    ownNumbers: Type.Array(Type.String({ pattern: '^[0-9]+$' })),
  }),
  /**
   * `text`: the structured field is a string, as in the standard's file. `single`: an object.
   * `list`: a list of objects.
   */
  reference: closed({ member: Type.Enum(['text', 'single', 'list']), types: Type.Array(Type.String()) }),
  /** Field for a text on the debtor's own statement; null when there is none. */
  ownTextMember: Type.Union([Member, Type.Null()]),
  /**
   * How an order equal to another of the same day is treated; `on-request`: accepted with
   * `allowLogicalDuplicate=true`.
   */
  duplicates: Type.Enum(['accepted', 'rejected', 'on-request']),
  /** The error code of a missing or invalid reference: the standard's text and its file differ. */
  kidMissingCode: Type.Enum(['KID_MISSING', 'REQUIRED_KID_MISSING']),
  amountMax: Decimal,
  /** Cross-border payments; null where there are none. */
  crossBorder: Type.Union([CrossBorder, Type.Null()]),
  /** Bulks of domestic payments; null where there are none. */
  bulk: Type.Union([Bulk, Type.Null()]),
  /** How an order for a non-banking day is treated. */
  closedDays: Type.Enum(['next-bank-day', 'rejected']),
} as const

const behaviour = {
  initialStatus: Type.Enum(['RCVD', 'PDNG', 'ACTC']),
  /** The status of an authorised payment that awaits its execution day. */
  waitingStatus: Type.Enum(['ACTC', 'ACCP']),
  /** The last status of a successful payment that third parties see; the bank books it in any case. */
  lastVisible: Type.Enum(['settled', 'ACCP', 'ACSP']),
  /** Cut-off times of payments to other banks; a rail that is absent, and payments within the bank, have none. */
  cutOffs: Type.Record(Type.String(), CutOff),
  signing: closed({
    /** Whether the redirect approach is available. `implicit`: creation always starts the authorisation. */
    redirect: Type.Enum(['none', 'explicit', 'implicit']),
    /**
     * The decoupled approach, and how the app receives the order: the bank notifies the named user, or the app reads
     * a code that the bank sends (`image`) or provides at a URL (`image-link`, where requested), or a start token.
     */
    app: Type.Enum(['none', 'notified', 'image', 'image-link', 'start-token']),
    /** Whether an authorisation requires confirmation with the code that the browser received. */
    confirmation: Type.Boolean(),
  }),
  /** Whether the SCA is an OAuth grant, or every call requires a token of an earlier grant. */
  oauth: Type.Enum(['none', 'integrated', 'pre-step']),
  authorisationMinutes: Type.Integer({ minimum: 1 }),
  /** The SCA status once the link was opened. */
  openedSca: Type.Enum(['received', 'authenticationStarted']),
  /** Whether the status of an ended payment authorisation can be read, or returns 400. */
  endedSca: Type.Enum(['reported', 'rejected']),
  settlement: closed({
    /** From authorisation to booking when the payment is due already. */
    sameDaySeconds: Type.Integer({ minimum: 0 }),
    /** Local time on the due day at which payments authorised earlier are booked. */
    laterAt: LocalTime,
  }),
  cancelBeforeSigning: Type.Enum(['direct', 'rejected']),
  /** How an authorised payment is cancelled before its execution. */
  cancelAfterSigning: Type.Enum(['authorisation', 'direct', 'rejected']),
  /** The status code of an immediate cancellation. */
  cancelAnswer: Type.Union([Type.Literal(200), Type.Literal(204)]),
  /** Maximum number of payments in a signing basket; null where there are no baskets. */
  basketMax: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /** Whether baskets accept domestic payments only. */
  basketDomesticOnly: Type.Boolean(),
  consent: closed({
    daysMax: Type.Integer({ minimum: 1 }),
    newerEndsOlder: Type.Boolean(),
    models: Type.Array(Type.Enum(['bank-offered', 'detailed', 'global']), { minItems: 1 }),
  }),
  transactionsPerPage: Type.Integer({ minimum: 1 }),
} as const

export const BankProfile = closed({
  bic: Bic,
  name: Type.String(),
  country: Type.Enum(['NO', 'SE', 'DK', 'FI']),
  timeZone: Type.String(),
  currency: Currency,
  /** First segment of the bank's path, before `/v1`. */
  basePath: Type.String({ pattern: '^[a-z0-9-]+$' }),
  ...responseProperties,
  ...requestRequirements,
  ...behaviour,
})
export type BankProfile = Static<typeof BankProfile>
