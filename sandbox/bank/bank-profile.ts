/** The shape of one bank of the world: how it speaks, what it demands and how it behaves. Another bank is another row. */
import { type Static, Type } from 'typebox'

export const Decimal = Type.String({ pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,2})?$' })
export const Bic = Type.String({ pattern: '^[A-Z0-9]{8}([A-Z0-9]{3})?$' })
export const Currency = Type.String({ pattern: '^[A-Z]{3}$' })
/** The ways a payment takes; all but the last are domestic. */
export const Rail = Type.Enum(['account', 'bankgiro', 'plusgiro', 'payment-form', 'cross-border'])
export type Rail = Static<typeof Rail>

const LocalTime = Type.String({ pattern: '^[0-2][0-9]:[0-5][0-9]$' })
const Member = Type.String({ pattern: '^[A-Za-z]{1,70}$' })
/** Until when a payment to another bank must be signed to be carried out on a day. */
const CutOff = closed({ localTime: LocalTime, bankDaysBefore: Type.Integer({ minimum: 0, maximum: 5 }) })

const Bulk = closed({
  /** Most payments in one. */
  max: Type.Integer({ minimum: 1 }),
  /** Whether it is booked as one line where the third party prefers that. */
  batchBooking: Type.Boolean(),
  /** Whether it may have an id of the third party: the standard's file has none in requests. */
  paymentInformationId: Type.Boolean(),
  /** What is told of each payment in one: it has an id of its own, it is listed with its status, or nothing. */
  elements: Type.Enum(['own-ids', 'listed', 'none']),
  inBaskets: Type.Boolean(),
})

const CrossBorder = closed({
  /** Member that names an IBAN. */
  ibanMember: Type.Enum(['iban', 'bban']),
  /** Its words for who pays which bank's charges. */
  chargeBearers: Type.Array(Type.String({ pattern: '^[A-Z]{3,4}$' }), { minItems: 1 }),
  /** What the authorities are told of payments above an amount in the bank's currency; null nothing. */
  reporting: Type.Union([
    closed({ above: Decimal, codePattern: Type.String(), takesInformation: Type.Boolean() }),
    Type.Null(),
  ]),
})

/** How answers look. */
const speech = {
  /** A is the standard's own, B is problem details. */
  errorFormat: Type.Enum(['A', 'B']),
  links: Type.Enum(['absolute', 'relative']),
  /** Whether an answer to something new links to it, besides naming it in `Location`. */
  selfLink: Type.Boolean(),
  /** Whether answers carry links that nobody has heard of. */
  strangeLinks: Type.Boolean(),
  /** Under which name statuses carry messages to the third party: the standard's text and its file differ. */
  statusMessage: Type.Enum(['none', 'tppMessage', 'tppMessages']),
  /** Whether answers repeat the request's `X-Request-ID`, or have one of their own. */
  echoesRequestId: Type.Boolean(),
  notifies: Type.Boolean(),
  /** How accounts are named in answers. */
  showsAccounts: Type.Array(Type.Enum(['bban', 'iban']), { minItems: 1 }),
  cancellationList: Type.Enum(['authorisationIds', 'cancellationIds']),
  entries: closed({
    /** How a list longer than a page is handed out: page by page, at once, or from where it is to be downloaded. */
    paging: Type.Enum(['links', 'whole', 'download']),
    /** Whether lists leave out what an entry says to its receiver; details have it. */
    lists: Type.Enum(['full', 'brief']),
    /** Whether each entry can be read by itself. */
    details: Type.Boolean(),
    /** Whether pending entries are shown, and together with booked ones or only by themselves. */
    pending: Type.Enum(['together', 'apart', 'none']),
    /**
     * What an entry keeps when it is booked: its id; its reference, while the id changes; its reference, and it has no
     * other id; the payer's end-to-end id; nothing.
     */
    keeps: Type.Enum(['id', 'reference', 'reference-alone', 'end-to-end-id', 'nothing']),
    /** For how long an entry that is booked is still shown as pending too. */
    shownTwiceMinutes: Type.Integer({ minimum: 0 }),
    /** Whether a message is one text, or lines of a list. */
    message: Type.Enum(['text', 'list']),
  }),
} as const

/** What a call and an order must be like. */
const demands = {
  /** Headers and parts of the query that every call needs; a `bic` is the bank's own. Others where a user must be there. */
  required: closed({
    headers: Type.Array(Type.String()),
    query: Type.Array(Type.String()),
    userHeaders: Type.Array(Type.String()),
  }),
  psuIdRequired: Type.Boolean(),
  /** Whether signed messages must have a date, signed before everything else. */
  signsDate: Type.Optional(Type.Boolean()),
  products: Type.Array(closed({ name: Type.String(), rails: Type.Array(Rail, { minItems: 1 }) }), { minItems: 1 }),
  /** How orders may name accounts. */
  accountForms: Type.Array(Type.Enum(['bban', 'iban']), { minItems: 1 }),
  creditorNameRequired: Type.Boolean(),
  endToEndId: Type.Enum(['kept', 'refused']),
  message: closed({
    member: Type.Enum(['text', 'list']),
    /** Characters of the message, or of each piece of a list. */
    max: Type.Integer({ minimum: 1, maximum: 140 }),
    /** The same for payments to other banks; null no difference. */
    toOthersMax: Type.Union([Type.Integer({ minimum: 1, maximum: 140 }), Type.Null()]),
    /** First digits of account numbers that are the bank's own, also where the world has no such account. */
    ownNumbers: Type.Array(Type.String({ pattern: '^[0-9]+$' })),
  }),
  /** `text`: the structured member is a text, as in the standard's file. `single`: an object. `list`: a list of objects. */
  reference: closed({ member: Type.Enum(['text', 'single', 'list']), types: Type.Array(Type.String()) }),
  /** Member for a text on the payer's own statement; null when there is none. */
  ownTextMember: Type.Union([Member, Type.Null()]),
  /** What becomes of an order that equals one of the same day; `on-request`: taken with `allowLogicalDuplicate=true`. */
  duplicates: Type.Enum(['taken', 'refused', 'on-request']),
  /** What the bank calls a missing or wrong reference: the standard's text and its file differ. */
  kidMissingCode: Type.Enum(['KID_MISSING', 'REQUIRED_KID_MISSING']),
  amountMax: Decimal,
  /** What payments across borders are like; null where there are none. */
  crossBorder: Type.Union([CrossBorder, Type.Null()]),
  /** What orders of many domestic payments at once are like; null where there are none. */
  bulk: Type.Union([Bulk, Type.Null()]),
  daysAheadMax: Type.Integer({ minimum: 0 }),
  /** What becomes of an order for a day on which banks are closed. */
  closedDays: Type.Enum(['next-bank-day', 'refused']),
} as const

/** What happens over time. */
const behaviour = {
  initialStatus: Type.Enum(['RCVD', 'PDNG', 'ACTC']),
  /** The status of what is signed and waits for its day. */
  waitingStatus: Type.Enum(['ACTC', 'ACCP']),
  /** The last status that third parties see of what goes well; the bank books whether it says so or not. */
  lastVisible: Type.Enum(['settled', 'ACCP', 'ACSP']),
  /** Payments to other banks; a rail without one, and payments inside the bank, have none. */
  cutOffs: Type.Record(Type.String(), CutOff),
  signing: closed({
    /** Whether a browser may be sent here. `implicit`: a creation begins the signing whether or not that was asked for. */
    redirect: Type.Enum(['none', 'explicit', 'implicit']),
    /**
     * Signing in the user's own app, and how the app learns of it: the bank notifies the user named, or it reads a code
     * that the bank draws (`image`), has ready for drawing (`image-link`, where that is asked for), or a start token.
     */
    app: Type.Enum(['none', 'notified', 'image', 'image-link', 'start-token']),
    /** Whether a signing counts only once the third party has brought the code that the browser got. */
    confirmation: Type.Boolean(),
  }),
  /** Whether signing is an OAuth grant, or every call needs a token that was granted beforehand. */
  oauth: Type.Enum(['none', 'integrated', 'pre-step']),
  authorisationMinutes: Type.Integer({ minimum: 1 }),
  /** What an authorisation is called once its link was opened. */
  openedSca: Type.Enum(['received', 'authenticationStarted']),
  /** Whether the bank still tells how an authorisation of a payment ended, or answers 400. */
  endedSca: Type.Enum(['told', 'refused']),
  settlement: closed({
    /** From signing to booking when the payment is due already. */
    sameDaySeconds: Type.Integer({ minimum: 0 }),
    /** Local time on the due day at which payments signed earlier are booked. */
    laterAt: LocalTime,
  }),
  unsignedLifetime: closed({
    /** How long an unsigned payment is kept; null until the end of its due day. */
    minutes: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    outcome: Type.Enum(['reject', 'forget']),
  }),
  cancelBeforeSigning: Type.Enum(['direct', 'refused']),
  /** What cancelling a signed payment takes while it is not yet being executed. */
  cancelAfterSigning: Type.Enum(['authorisation', 'direct', 'refused']),
  /** How the bank answers when it has cancelled at once. */
  cancelAnswer: Type.Union([Type.Literal(200), Type.Literal(204)]),
  /** Most payments in one signing basket; null where there are no baskets. */
  basketMax: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /** Whether baskets hold domestic payments alone. */
  basketDomesticOnly: Type.Boolean(),
  consent: closed({
    daysMax: Type.Integer({ minimum: 1 }),
    newerEndsOlder: Type.Boolean(),
    models: Type.Array(Type.Enum(['bank-offered', 'detailed', 'global']), { minItems: 1 }),
  }),
  transactionsPerPage: Type.Integer({ minimum: 1 }),
  historyDays: Type.Integer({ minimum: 1 }),
} as const

export const BankProfile = closed({
  bic: Bic,
  name: Type.String(),
  country: Type.Enum(['NO', 'SE', 'DK', 'FI']),
  timeZone: Type.String(),
  currency: Currency,
  /** First part of the bank's path, in front of `/v1`. */
  basePath: Type.String({ pattern: '^[a-z0-9-]+$' }),
  ...speech,
  ...demands,
  ...behaviour,
})
export type BankProfile = Static<typeof BankProfile>

/** An object in which a misspelt member is a mistake. */
export function closed<const Properties extends Parameters<typeof Type.Object>[0]>(
  properties: Properties,
): Type.TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false })
}
