/** The shapes in which NextGenPSD2 banks answer; every answer is parsed with one of them before anything is read. */
import { type Static, Type } from 'typebox'
import { reader } from '../../../platform/http/response-parser.ts'

export const Text = Type.String()
export const Identifier = Type.String({ minLength: 1, maxLength: 200 })
export const Link = Type.Object({ href: Type.String({ minLength: 1, maxLength: 4000 }) })

/** Only the links that are followed or tell something; banks add others, which are ignored. */
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

/** The standard's text writes `tppMessages`, its OpenAPI file in places `tppMessage`; a lone object is met as well. */
const Messages = Type.Union([Type.Array(Message), Message])

const Remarks = {
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
  // Whatever they hold: that they are there says that the user is to authenticate.
  scaStatus: Type.Optional(Type.Unknown()),
  scaMethods: Type.Optional(Type.Unknown()),
  chosenScaMethod: Type.Optional(Type.Unknown()),
  challengeData: Type.Optional(Type.Unknown()),
  ...Remarks,
})

export const AccountReference = Type.Object({
  iban: Type.Optional(Text),
  bban: Type.Optional(Text),
  other: Type.Optional(Type.Object({ identification: Text, schemeNameProprietary: Type.Optional(Text) })),
})

/** Answer to `GET …/{paymentId}`: the order as the bank holds it. */
export const PaymentHeld = Type.Object({
  debtorAccount: Type.Optional(AccountReference),
  creditorAccount: Type.Optional(AccountReference),
  instructedAmount: Type.Optional(Type.Object({ currency: Text, amount: Text })),
})

/** Answer to `GET …/{paymentId}/status`. */
export const PaymentStatus = Type.Object({
  transactionStatus: Text,
  fundsAvailable: Type.Optional(Type.Boolean()),
  _links: Type.Optional(Links),
  ...Remarks,
})

/** Answer to `POST …/authorisations`. */
export const AuthorisationStarted = Type.Object({
  scaStatus: Text,
  authorisationId: Identifier,
  // Of any shape: a bank that draws no code may still tell how long a password is.
  challengeData: Type.Optional(Type.Unknown()),
  _links: Type.Optional(Links),
  ...Remarks,
})

/** Answer to `GET …/authorisations/{authorisationId}`. */
export const Authorisation = Type.Object({
  scaStatus: Text,
  challengeData: Type.Optional(Type.Unknown()),
  _links: Type.Optional(Links),
  ...Remarks,
})

/** What the user's app is shown, in the standard's members and in those that BankID banks add. */
export const ChallengeData = Type.Object({
  image: Type.Optional(Text),
  imageLink: Type.Optional(Text),
  data: Type.Optional(Type.Union([Text, Type.Array(Text)])),
})

/** Answer to `DELETE …/{paymentId}`, where it has a body. */
export const Withdrawn = Type.Object({
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
export const BasketStatus = Type.Object({ transactionStatus: Text, ...Remarks })

/** Answer to `POST /consents`; some banks say the shortened date at once. */
export const ConsentCreated = Type.Object({
  consentStatus: Text,
  consentId: Identifier,
  validUntil: Type.Optional(Text),
  _links: Type.Optional(Links),
  ...Remarks,
})

/** Answer to `GET /consents/{consentId}`. */
export const Consent = Type.Object({ consentStatus: Text, validUntil: Type.Optional(Text), ...Remarks })

/** Error body of format A. */
export const TppMessagesBody = Type.Object({ tppMessages: Messages })

/** Error body of format B (RFC 7807 with the standard's `code`). */
export const ProblemBody = Type.Object({
  code: Text,
  title: Type.Optional(Text),
  detail: Type.Optional(Text),
  additionalErrors: Type.Optional(
    Type.Array(Type.Object({ code: Text, title: Type.Optional(Text), detail: Type.Optional(Text) })),
  ),
})

export type Links = Static<typeof Links>
export type Message = Static<typeof Message>
export type Remarks = { psuMessage?: string; tppMessages?: Message | Message[]; tppMessage?: Message | Message[] }
export type AccountReference = Static<typeof AccountReference>
export type PaymentCreated = Static<typeof PaymentCreated>
export type PaymentHeld = Static<typeof PaymentHeld>
export type PaymentStatus = Static<typeof PaymentStatus>
export type AuthorisationStarted = Static<typeof AuthorisationStarted>
export type Authorisation = Static<typeof Authorisation>
export type ChallengeData = Static<typeof ChallengeData>
export type ConsentCreated = Static<typeof ConsentCreated>
export type Consent = Static<typeof Consent>

export const readPaymentCreated = reader(PaymentCreated)
export const readPaymentHeld = reader(PaymentHeld)
export const readPaymentStatus = reader(PaymentStatus)
export const readAuthorisationStarted = reader(AuthorisationStarted)
export const readAuthorisation = reader(Authorisation)
export const readChallengeData = reader(ChallengeData)
export const readWithdrawn = reader(Withdrawn)
export const readBasketCreated = reader(BasketCreated)
export const readBasketStatus = reader(BasketStatus)
export const readConsentCreated = reader(ConsentCreated)
export const readConsent = reader(Consent)
export const readTppMessagesBody = reader(TppMessagesBody)
export const readProblemBody = reader(ProblemBody)

/** All messages of an answer, however the bank spells the member. */
export function messagesOf({ tppMessages = [], tppMessage = [] }: Remarks): readonly Message[] {
  return [tppMessages, tppMessage].flat()
}
