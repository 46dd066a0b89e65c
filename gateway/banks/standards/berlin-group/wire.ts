/** Schemas of the answers of NextGenPSD2 banks; every answer is parsed before use. */
import { type Static, Type } from 'typebox'
import { responseParser, valueParser } from '../../../platform/http/response-parser.ts'

export const Text = Type.String()
/**
 * An id that is a segment of a path as it is (RFC 3986, 3.3). Servers and proxies resolve or reject others, such as `..`
 * and `a%2Fb`: then a call about one resource is answered about another.
 */
export const Identifier = Type.String({
  maxLength: 200,
  pattern: "^(?!\\.{1,2}$)[A-Za-z0-9._~!$&'()*+,;=:@-]+$",
})
export const Link = Type.Object({ href: Type.String({ minLength: 1, maxLength: 4000 }) })

/** Only the links that are used; others are ignored. */
const Links = Type.Object({
  scaRedirect: Type.Optional(Link),
  scaOAuth: Type.Optional(Link),
  confirmation: Type.Optional(Link),
  startAuthorisation: Type.Optional(Link),
  startAuthorisationWithPsuIdentification: Type.Optional(Link),
  startAuthorisationWithPsuAuthentication: Type.Optional(Link),
  startAuthorisationWithEncryptedPsuAuthentication: Type.Optional(Link),
  startAuthorisationWithAuthenticationMethodSelection: Type.Optional(Link),
  startAuthorisationWithTransactionAuthorisation: Type.Optional(Link),
  startAuthorisationWithProprietaryData: Type.Optional(Link),
})

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

/** Answer to `POST /payments/{product}`. */
export const PaymentCreated = Type.Object({
  transactionStatus: Text,
  paymentId: Identifier,
  fundsAvailable: Type.Optional(Type.Boolean()),
  _links: Type.Optional(Links),
  // Their presence alone shows that the user has to authenticate.
  scaStatus: Type.Optional(Type.Unknown()),
  scaMethods: Type.Optional(Type.Unknown()),
  chosenScaMethod: Type.Optional(Type.Unknown()),
  challengeData: Type.Optional(Type.Unknown()),
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
  instructedAmount: Type.Optional(Type.Object({ currency: Text, amount: Text })),
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
  scaStatus: Text,
  authorisationId: Identifier,
  // Of any shape: a bank without a QR code may still describe the format of a password.
  challengeData: Type.Optional(Type.Unknown()),
  _links: Type.Optional(Links),
  ...BankMessages,
})

/** Answer to `GET …/authorisations/{authorisationId}`. */
export const Authorisation = Type.Object({
  scaStatus: Text,
  challengeData: Type.Optional(Type.Unknown()),
  _links: Type.Optional(Links),
  ...BankMessages,
})

/** The challenge for the user's app: the standard's fields, and those that BankID banks add. */
export const ChallengeData = Type.Object({
  image: Type.Optional(Text),
  imageLink: Type.Optional(Text),
  data: Type.Optional(Type.Union([Text, Type.Array(Text)])),
})

/** Answer to `DELETE …/{paymentId}`, where it has a body. */
export const CancellationResponse = Type.Object({
  transactionStatus: Type.Optional(Text),
  _links: Type.Optional(Links),
  scaStatus: Type.Optional(Type.Unknown()),
  scaMethods: Type.Optional(Type.Unknown()),
  chosenScaMethod: Type.Optional(Type.Unknown()),
  challengeData: Type.Optional(Type.Unknown()),
})

/** Answer to `POST /signing-baskets`. */
export const BasketCreated = Type.Object({ basketId: Identifier })

/** Answer to `GET /signing-baskets/{basketId}/status`. */
export const BasketStatus = Type.Object({ transactionStatus: Text, ...BankMessages })

/** Answer to `POST /consents`; some banks return the shortened date here. */
export const ConsentCreated = Type.Object({
  consentStatus: Text,
  consentId: Identifier,
  validUntil: Type.Optional(Text),
  _links: Type.Optional(Links),
  ...BankMessages,
})

/** Answer to `GET /consents/{consentId}`. */
export const Consent = Type.Object({ consentStatus: Text, validUntil: Type.Optional(Text), ...BankMessages })

export type Links = Static<typeof Links>
export type Message = Static<typeof Message>
export type BankMessages = { psuMessage?: string; tppMessages?: Message | Message[]; tppMessage?: Message | Message[] }
export type AccountReference = Static<typeof AccountReference>
export type PaymentCreated = Static<typeof PaymentCreated>
export type PaymentDetails = Static<typeof PaymentDetails>
export type PaymentStatus = Static<typeof PaymentStatus>
export type AuthorisationStarted = Static<typeof AuthorisationStarted>
export type Authorisation = Static<typeof Authorisation>
export type ChallengeData = Static<typeof ChallengeData>
export type ConsentCreated = Static<typeof ConsentCreated>
export type Consent = Static<typeof Consent>

/** The id in the answer to an order, whatever it and the rest of the answer are. */
export const parseCreatedId = responseParser(Type.Object({ paymentId: Text }))
/** An id of the bank; undefined where it cannot be used in a path. */
export const parseIdentifier = valueParser(Identifier)
export const parsePaymentCreated = responseParser(PaymentCreated)
export const parsePaymentDetails = responseParser(PaymentDetails)
export const parsePaymentStatus = responseParser(PaymentStatus)
export const parseAuthorisationStarted = responseParser(AuthorisationStarted)
export const parseAuthorisation = responseParser(Authorisation)
export const parseChallengeData = responseParser(ChallengeData)
export const parseCancellationResponse = responseParser(CancellationResponse)
export const parseBasketCreated = responseParser(BasketCreated)
export const parseBasketStatus = responseParser(BasketStatus)
export const parseConsentCreated = responseParser(ConsentCreated)
export const parseConsent = responseParser(Consent)

/** All messages of an answer, whatever the bank's field name. */
export function messagesOf({ tppMessages = [], tppMessage = [] }: BankMessages): readonly Message[] {
  return [tppMessages, tppMessage].flat()
}
