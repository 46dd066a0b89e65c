/** Describes what orders of payments and of exchange have in common. */
import { type Static, Type } from 'typebox'
import { codeForEveryKeyword } from './errors/error-codes.ts'
import { countryCode, nonBlankText, TEXT_CHARACTERS_MAX } from './shapes.ts'

/** The maximum length of an endToEndId; for banks that accept less it is truncated, with a digest at the end. */
const END_TO_END_ID_CHARACTERS_MAX = 255

export const PaymentMetadata = Type.Object(
  {
    endToEndId: nonBlankText(
      END_TO_END_ID_CHARACTERS_MAX,
      'The partner’s own identification of the payment. It is stored unchanged. To the bank it is sent truncated to ' +
        'what the bank accepts, at most 35 characters: the beginning, a hyphen and eight hexadecimal digits of a ' +
        'digest. Some banks do not accept one; it is not sent to them.',
    ),
  },
  { title: 'PaymentMetadata', description: 'The identification of the payment.' },
)

/** All five fields are required: foreign banks reject incomplete addresses. `code` is the code of every error. */
export function completeAddress(code?: 'InvalidRequest' | 'InvalidToAddress') {
  const invalid = code === undefined ? {} : codeForEveryKeyword(code)
  const member = (description: string) => nonBlankText(TEXT_CHARACTERS_MAX.addressMember, description, invalid)
  return Type.Object(
    {
      streetName: member('The street.'),
      buildingNumber: member('The number in the street.'),
      city: member('The town.'),
      postCode: member('The postal code.'),
      country: countryCode('The country (ISO 3166-1 alpha-2).', invalid),
    },
    { title: 'CompleteAddress', description: 'A postal address in full.', invalid },
  )
}

const AdditionalInformation = Type.Object(
  {
    type: Type.Enum(['TaxCode', 'Reason', 'Purpose'], {
      description: 'TaxCode: of the receiver. Reason: of the payment, as text. Purpose: of the payment, as a code.',
    }),
    value: nonBlankText(TEXT_CHARACTERS_MAX.remittance, 'The code or text that the receiving country requires.'),
  },
  { title: 'AdditionalInformation', description: 'Information that the receiving country requires.' },
)
export type AdditionalInformation = Static<typeof AdditionalInformation>

/** More elements than any country requires. */
const ADDITIONAL_INFORMATION_MAX = 10

export const additionalInformation = Type.Optional(
  Type.Array(AdditionalInformation, {
    maxItems: ADDITIONAL_INFORMATION_MAX,
    description: 'Information that the receiving country requires; see its payment requirements.',
  }),
)

/** A decimal whose number of decimals is validated by its currency, not by the pattern, and whose errors have no code. */
export const anyDecimal = Type.String({
  pattern: '^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,20})?$',
  form: 'must be a decimal with a point and no sign, for example 1250.00',
  description: 'A decimal with a point and no sign, exponent or separators, for example `1250.00`.',
})
