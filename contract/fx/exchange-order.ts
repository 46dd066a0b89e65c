/** Describes the request for an exchange: debtor, creditor, amount and due date. */

import { type Static, Type } from 'typebox'
import { additionalInformation, anyDecimal, completeAddress, PaymentMetadata } from '../payment-parts.ts'
import {
  countryCode,
  currencyCode,
  day,
  nonBlankText,
  organizationNumberParameter,
  TEXT_CHARACTERS_MAX,
  textUpTo,
} from '../shapes.ts'

/** The length of names in cross-border payments. */
const NAME_CHARACTERS_MAX = 70

const { endToEndId } = PaymentMetadata.properties
const name = nonBlankText(NAME_CHARACTERS_MAX, `The name; ${NAME_CHARACTERS_MAX} characters at most.`)
const number = (description: string) => textUpTo(TEXT_CHARACTERS_MAX.accountNumber, description)

export const ExchangeOrder = Type.Object(
  {
    metadata: Type.Object(
      {
        organizationCountryCode: countryCode('The country of the company that pays (ISO 3166-1 alpha-2).'),
        organizationNumber: organizationNumberParameter('The organisation number of the company that pays.'),
        endToEndId,
      },
      { title: 'ExchangeMetadata', description: 'The company, and the id of the payment.' },
    ),
    from: Type.Object(
      {
        bban: nonBlankText(TEXT_CHARACTERS_MAX.accountNumber, 'The debtor account, in its domestic format or as IBAN.'),
        bic: number('The bank of that account: a BIC of 8 or 11 capital letters and digits.'),
        contactInformation: Type.Object(
          { name, address: completeAddress() },
          { title: 'ExchangeSenderContact', description: 'Who pays.' },
        ),
        currency: currencyCode('The currency of the debtor account.'),
        country: countryCode('The country of the debtor account (ISO 3166-1 alpha-2).'),
      },
      { title: 'ExchangeSender', description: 'Who pays, and from where.' },
    ),
    to: Type.Object(
      {
        account: Type.Object(
          {
            iban: Type.Optional(number('The IBAN.')),
            bban: Type.Optional(number('The account number in its domestic format, or the IBAN.')),
            bic: number('The bank of that account: a BIC of 8 or 11 capital letters and digits.'),
            clearingCode: Type.Optional(number('The clearing code of its bank, where the country requires it.')),
          },
          {
            title: 'ExchangeReceiverAccount',
            description: 'The account that is paid: `iban` or `bban`.',
            hidden: true,
          },
        ),
        contactInformation: Type.Object(
          { name, address: completeAddress('InvalidToAddress') },
          { title: 'ExchangeReceiverContact', description: 'The receiver.', hidden: true },
        ),
        currency: Type.Optional(
          currencyCode('The currency that the receiver gets, where `amount` is what the sender pays (SELL).'),
        ),
      },
      { title: 'ExchangeReceiver', description: 'Who is paid, and where.' },
    ),
    amount: Type.Object(
      {
        amount: anyDecimal,
        currency: currencyCode('The currency (ISO 4217).'),
      },
      {
        title: 'ExchangeAmount',
        description:
          'The amount that the receiver gets (BUY); or, in the currency of the sender with another ' +
          '`to.currency`, what the sender pays (SELL).',
      },
    ),
    dueDate: day('The day on which the sender’s bank pays, `YYYY-MM-DD`; see GET /api/fx/calendar.'),
    remittanceInformation: Type.Object(
      {
        unstructured: nonBlankText(
          TEXT_CHARACTERS_MAX.remittance,
          'The message for the receiver; 140 characters at most.',
        ),
        additionalInformation,
      },
      {
        title: 'ExchangeRemittance',
        hidden: true,
        description: 'The remittance information and the information for the receiving country.',
      },
    ),
    purposeCode: Type.Optional(
      Type.String({
        maxLength: TEXT_CHARACTERS_MAX.remittance,
        deprecated: true,
        description: 'Use additionalInformation of the type Purpose; this field is still accepted.',
      }),
    ),
  },
  { title: 'ExchangeOrder', description: 'A payment in another currency than that of the debtor account.' },
)
export type ExchangeOrder = Static<typeof ExchangeOrder>
