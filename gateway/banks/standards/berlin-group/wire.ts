/** Schemas of the answers of NextGenPSD2 banks; every answer is parsed before use. */
import { type Static, Type } from 'typebox'
import { tolerantResponseParser, tolerantValueParser } from '../../../platform/http/response-parser.ts'
import { type ReportDeviation, VISIBLE_TEXT } from '../../../platform/http/tolerant-reader.ts'
import { statedInstant, statedText } from '../../connector/bank-text.ts'

export const Text = Type.String({ pattern: VISIBLE_TEXT })
/** Ids, amounts and rates are texts in the standard and numbers at some banks. */
export const TextOrNumber = Type.String({ pattern: VISIBLE_TEXT, fromNumber: true })
/**
 * An id of the bank, which is percent-encoded as a segment of a path. Without blanks and control characters, which no
 * header or OAuth scope can have, and without dot segments, which servers resolve.
 */
const ID = '(?!(.*[/\\\\])?\\.{1,2}([/\\\\]|$))'
const INVISIBLE = '\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2060\\ufeff\\ud800-\\udfff'
export const Identifier = Type.String({ maxLength: 200, pattern: `^${ID}[^${INVISIBLE}]+$`, fromNumber: true })
/** An id that is also sent in a header. */
const ConsentId = Type.String({ maxLength: 200, pattern: `^${ID}[!-~]+$`, fromNumber: true })
export const Amount = Type.Object({ currency: Text, amount: TextOrNumber })
export const Link = Type.Object({ href: Type.String({ pattern: VISIBLE_TEXT, maxLength: 4000 }) })

/** A field of which the presence alone is a sign. */
const Sign = Type.Union([Text, Type.Array(Type.Unknown(), { minItems: 1 }), Type.Object({}, { minProperties: 1 })])

/** A link without a readable URL is still a sign of what the bank expects; see `hrefOf`. */
const Links = Type.Record(Type.String(), Type.Union([Link, Sign]))

const Message = Type.Object({
  category: Type.Optional(Text),
  code: Type.Optional(Text),
  path: Type.Optional(Text),
  text: Type.Optional(Text),
})

/** The standard's text has `tppMessages`, its OpenAPI file in places `tppMessage`; some banks send a single object. */
const Messages = Type.Union([Type.Array(Message), Message])

const BankMessages = {
  psuMessage: Type.Optional(Text),
  tppMessages: Type.Optional(Messages),
  tppMessage: Type.Optional(Messages),
}

/** The presence of such a field, or of some links, alone shows that the user has to authenticate. */
const Authentication = {
  _links: Type.Optional(Links),
  scaStatus: Type.Optional(Sign),
  scaMethods: Type.Optional(Sign),
  chosenScaMethod: Type.Optional(Sign),
  challengeData: Type.Optional(Sign),
}

/** Answer to `POST /payments/{product}`. The id is required: whatever else it lacks, it acknowledges an order. */
export const PaymentCreated = Type.Object({
  transactionStatus: Type.Optional(Text),
  paymentId: Identifier,
  fundsAvailable: Type.Optional(Type.Boolean()),
  ...Authentication,
  ...BankMessages,
})

export const AccountReference = Type.Object({
  iban: Type.Optional(Text),
  bban: Type.Optional(Text),
  other: Type.Optional(Type.Object({ identification: Text, schemeNameProprietary: Type.Optional(Text) })),
})

/** Answer to `GET …/{paymentId}`. */
export const PaymentDetails = Type.Object({
  debtorAccount: Type.Optional(AccountReference),
  creditorAccount: Type.Optional(AccountReference),
  instructedAmount: Type.Optional(Amount),
})

/** Answer to `GET …/{paymentId}/status`. */
export const PaymentStatus = Type.Object({
  transactionStatus: Text,
  fundsAvailable: Type.Optional(Type.Boolean()),
  _links: Type.Optional(Links),
  ...BankMessages,
})

/** Answer to `POST …/authorisations`. */
export const AuthorisationStarted = Type.Object({
  scaStatus: Type.Optional(Text),
  authorisationId: Identifier,
  // Of any shape: a method that cannot be read is not offered.
  scaMethods: Type.Optional(Sign),
  chosenScaMethod: Type.Optional(Sign),
  // Of any shape: a bank without a QR code may still describe the format of a password.
  challengeData: Type.Optional(Sign),
  _links: Type.Optional(Links),
  ...BankMessages,
})

/** Answer to `GET …/authorisations/{authorisationId}`. */
export const Authorisation = Type.Object({
  scaStatus: Text,
  challengeData: Type.Optional(Sign),
  _links: Type.Optional(Links),
  ...BankMessages,
})

/** One of the methods that the user may choose. */
const ScaMethod = Type.Object({
  authenticationMethodId: Type.String({ pattern: VISIBLE_TEXT, maxLength: 200, fromNumber: true }),
  authenticationType: Type.Optional(Text),
  name: Type.Optional(Text),
  explanation: Type.Optional(Text),
})

/** The challenge for the user's app: the standard's fields, and those that BankID banks add. */
export const ChallengeData = Type.Object({
  image: Type.Optional(Text),
  imageLink: Type.Optional(Text),
  data: Type.Optional(Type.Union([Text, Type.Array(Text)])),
})

/** Answer to `GET /consents/{consentId}`. */
export const Consent = Type.Object({ consentStatus: Text, validUntil: Type.Optional(Text), ...BankMessages })

export type Links = Static<typeof Links>
type Message = Static<typeof Message>
export type BankMessages = { psuMessage?: string; tppMessages?: Message | Message[]; tppMessage?: Message | Message[] }
export type AccountReference = Static<typeof AccountReference>
export type PaymentCreated = Static<typeof PaymentCreated>
export type PaymentDetails = Static<typeof PaymentDetails>
export type PaymentStatus = Static<typeof PaymentStatus>
export type AuthorisationStarted = Static<typeof AuthorisationStarted>
export type Authorisation = Static<typeof Authorisation>
export type ChallengeData = Static<typeof ChallengeData>
export type Consent = Static<typeof Consent>

/** The id in the answer to an order, whatever it and the rest of the answer are. */
export const parseCreatedId = tolerantResponseParser(Type.Object({ paymentId: Type.String({ fromNumber: true }) }))
/** An id of the bank; undefined where it cannot be used in a path. */
export const parseIdentifier = tolerantValueParser(Identifier)
export const parsePaymentCreated = tolerantResponseParser(PaymentCreated)
export const parsePaymentDetails = tolerantResponseParser(PaymentDetails)
export const parsePaymentStatus = tolerantResponseParser(PaymentStatus)
export const parseAuthorisationStarted = tolerantResponseParser(AuthorisationStarted)
export const parseAuthorisation = tolerantResponseParser(Authorisation)
export const parseScaMethod = tolerantValueParser(ScaMethod)
export const parseChallengeData = tolerantResponseParser(ChallengeData)
/** Answer to `DELETE …/{paymentId}`, where it has a body. */
export const parseCancellationResponse = tolerantResponseParser(
  Type.Object({ transactionStatus: Type.Optional(Text), ...Authentication }),
)
export const parseBasketCreated = tolerantResponseParser(Type.Object({ basketId: Identifier }))
/** Answer to `GET /signing-baskets/{basketId}/status`. */
export const parseBasketStatus = tolerantResponseParser(Type.Object({ transactionStatus: Text, ...BankMessages }))
/** Answer to `POST /consents`; some banks return the shortened date here. */
export const parseConsentCreated = tolerantResponseParser(
  Type.Object({
    consentId: ConsentId,
    validUntil: Type.Optional(Text),
    _links: Type.Optional(Links),
    ...BankMessages,
  }),
)
export const parseConsent = tolerantResponseParser(Consent)

const parseLink = tolerantValueParser(Link)

/** The URL of a link by its name; undefined where it is absent or unreadable. */
export function hrefOf(links: Links | undefined, name: string): string | undefined {
  return parseLink(links?.[name])?.href
}

/** Reports the deviations of an element of a list, of which a damaged one is left out. */
export function elementReporter(list: string, report: ReportDeviation): ReportDeviation {
  return ({ path, reason, effect }) =>
    report({
      path: [`${list}[]`, path].filter((name) => name !== '').join('.'),
      reason,
      effect: effect === 'unreadable' ? 'dropped' : effect,
    })
}

/** The codes, or the texts, of all messages to the TPP, whatever the bank's name of their list; without placeholders. */
export function messageFields(
  { tppMessages = [], tppMessage = [] }: BankMessages,
  field: 'code' | 'text',
): readonly string[] {
  return [tppMessages, tppMessage].flat().flatMap((message) => statedText(message[field]) ?? [])
}

/** A day, possibly with a zone as in XML, which says nothing: days are those of the bank. */
const DAY = /^(\d{4}-\d\d-\d\d)(?:Z|[+-]\d\d:\d\d)?$/

/** A date from a bank, which some write as a time, in UTC or in their own zone; null when it is absent or invalid. */
export function dateOf(text: string | undefined, timeZone: string): Temporal.PlainDate | null {
  const [, day] = DAY.exec(text ?? '') ?? []
  if (day === undefined) {
    return statedInstant(text, timeZone)?.toZonedDateTimeISO(timeZone).toPlainDate() ?? null
  }
  try {
    return Temporal.PlainDate.from(day)
  } catch {
    return null
  }
}
