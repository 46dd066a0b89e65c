/** Describes an exchange that is asked for: who pays, who is paid, what and when. */
import { type Static, Type } from 'typebox'
import { AdditionalInformation, wholeAddress } from '../payments/cross-border-payment.ts'
import { PaymentMetadata } from '../payments/domestic-payment.ts'
import {
  countryCode,
  currencyCode,
  day,
  filledText,
  organizationNumberAsked,
  TEXT_CHARACTERS_MAX,
  textUpTo,
} from '../shapes.ts'

/** How many decimals an amount has is judged by its currency, not by its form. */
const ANY_DECIMAL = '^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,20})?$'
/** What travels over borders has this much room for a name. */
const NAME_CHARACTERS_MAX = 70
/** More than any country asks for. */
const ADDITIONAL_INFORMATION_MAX = 10

const { endToEndId } = PaymentMetadata.properties
const name = filledText(NAME_CHARACTERS_MAX, `The name; ${NAME_CHARACTERS_MAX} characters at most.`)
const number = (description: string) => textUpTo(TEXT_CHARACTERS_MAX.accountNumber, description)

export const ExchangeOrder = Type.Object(
  {
    metadata: Type.Object(
      {
        organizationCountryCode: countryCode('The country of the company that pays (ISO 3166-1 alpha-2).'),
        organizationNumber: organizationNumberAsked('The organisation number of the company that pays.'),
        endToEndId,
      },
      { title: 'ExchangeMetadata', description: 'Who asks, and what the payment is called.' },
    ),
    from: Type.Object(
      {
        bban: Type.String({
          pattern: '\\S',
          form: 'must not be blank',
          maxLength: TEXT_CHARACTERS_MAX.accountNumber,
          description: 'The account that pays, in its domestic form or by its IBAN.',
        }),
        bic: number('The bank of that account: a BIC of 8 or 11 capital letters and digits.'),
        contactInformation: Type.Object(
          { name, address: wholeAddress() },
          { title: 'ExchangeSenderContact', description: 'Who pays.' },
        ),
        currency: currencyCode('The currency in which it is paid.'),
        country: countryCode('The country from which it is paid (ISO 3166-1 alpha-2).'),
      },
      { title: 'ExchangeSender', description: 'Who pays, and from where.' },
    ),
    to: Type.Object(
      {
        account: Type.Object(
          {
            iban: Type.Optional(number('The IBAN.')),
            bban: Type.Optional(number('The number by which its country knows the account, or its IBAN.')),
            bic: number('The bank of that account: a BIC of 8 or 11 capital letters and digits.'),
            clearingCode: Type.Optional(number('What its bank is known by in the country, where that demands it.')),
          },
          { title: 'ExchangeReceiverAccount', description: 'The account that is paid: `iban` or `bban`.' },
        ),
        contactInformation: Type.Object(
          { name, address: wholeAddress('InvalidToAddress') },
          { title: 'ExchangeReceiverContact', description: 'Who is paid.' },
        ),
        currency: Type.Optional(
          currencyCode('What the receiver is paid in, where `amount` is what is paid for it (SELL).'),
        ),
      },
      { title: 'ExchangeReceiver', description: 'Who is paid, and where.' },
    ),
    amount: Type.Object(
      {
        amount: Type.String({
          pattern: ANY_DECIMAL,
          form: 'must be a decimal with a point and no sign, for example 1250.00',
          description: 'A decimal with a point and no sign, exponent or separators, for example `1250.00`.',
        }),
        currency: currencyCode('The currency (ISO 4217).'),
      },
      {
        title: 'ExchangeAmount',
        description:
          'What the receiver gets (BUY); or, in the currency of the sender with another one in `to.currency`, what the ' +
          'sender pays (SELL).',
      },
    ),
    dueDate: day('The day on which the sender’s bank is to pay, `YYYY-MM-DD`; see GET /api/fx/calendar.'),
    remittanceInformation: Type.Object(
      {
        unstructured: filledText(
          TEXT_CHARACTERS_MAX.remittance,
          'The message for the receiver; 140 characters at most.',
        ),
        additionalInformation: Type.Optional(
          Type.Array(AdditionalInformation, {
            maxItems: ADDITIONAL_INFORMATION_MAX,
            description: 'What the receiving country demands; its payment requirements say which.',
          }),
        ),
      },
      { title: 'ExchangeRemittance', description: 'What the payment says to its receiver and on the way there.' },
    ),
    purposeCode: Type.Optional(
      Type.String({
        maxLength: TEXT_CHARACTERS_MAX.remittance,
        deprecated: true,
        description: 'Use additionalInformation of the type Purpose; this one is still taken for it.',
      }),
    ),
  },
  { title: 'ExchangeOrder', description: 'A payment in another currency than that of the account that pays.' },
)
export type ExchangeOrder = Static<typeof ExchangeOrder>
